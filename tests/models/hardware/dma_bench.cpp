#include "tests/models/hardware/dma_bench.hpp"

#include "models/network/zero_load.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/transaction.hpp"

#include <fmt/format.h>

#include <cstring>

namespace nocturne::test {

struct DmaBench::Board : sc_core::sc_module {
    Board(const sc_core::sc_module_name& module_name, const Topology& topology, const DmaBenchConfig& config)
        : sc_module(module_name), network("network", topology, config.hardware, all_port),
          barrier("barrier", topology.processor_count()), registers("registers", topology.processor_count()),
          interrupts("interrupts", topology.processor_count())
    {
        const DmaEngineConfig engine_config{sc_core::sc_time(config.hardware.t0_ns, sc_core::SC_NS),
                                            config.hardware.flit_bytes,
                                            sc_core::sc_time(config.hardware.cycle_ns, sc_core::SC_NS)};
        for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
            const auto make_packet = [this, id](ProcessorId destination, std::uint64_t bytes,
                                                const Route& route) {
                network.check_route(id, destination, route);
                return network.make_packet(id, destination,
                                           static_cast<std::uint32_t>(network.config().flits(bytes)), route);
            };
            memories.push_back(
                std::make_unique<Memory>(fmt::format("memory_{}", id).c_str(), config.memory_bytes));
            engines.push_back(std::make_unique<DmaEngine>(fmt::format("engine_{}", id).c_str(), engine_config,
                                                          network.interface(id), network.packets(),
                                                          make_packet, barrier));
            engines[id]->memory.bind(memories[id]->socket);
            engines[id]->interrupt.bind(interrupts[id]);
            registers[id].bind(engines[id]->registers);
        }
    }
    Network network;
    Barrier barrier;
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<Board>> registers;
    sc_core::sc_vector<sc_core::sc_signal<bool>> interrupts;
    std::vector<std::unique_ptr<Memory>> memories;
    std::vector<std::unique_ptr<DmaEngine>> engines;
};

DmaBench::DmaBench(const DmaBenchConfig& config)
    : topology_(make_topology(config.topology)), routing_(shortest_path(topology_)),
      board_(std::make_unique<Board>("board", topology_, config))
{
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

DmaBench::~DmaBench() = default;

DmaDescriptor DmaBench::send(std::uint32_t step, ProcessorId source, ProcessorId destination,
                             std::uint32_t length) const
{
    DmaDescriptor line;
    line.opcode = DmaDescriptor::Opcode::send;
    line.step = line.remote_step = step;
    line.destination = destination;
    line.route = routing_.route(source, destination);
    line.length = length;
    return line;
}

DmaDescriptor DmaBench::receive(std::uint32_t step, std::uint32_t messages)
{
    DmaDescriptor line;
    line.opcode = DmaDescriptor::Opcode::receive;
    line.step = step;
    line.length = messages;
    return line;
}

DmaDescriptor DmaBench::end(std::uint32_t steps)
{
    DmaDescriptor line;
    line.step = steps;
    return line;
}

void DmaBench::load(ProcessorId id, const std::vector<std::uint32_t>& words, std::uint32_t address)
{
    std::vector<std::uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    poke(id, address, bytes);
    write(id, dma_register::program, address);
}

void DmaBench::load_one_message(std::uint32_t bytes, std::uint32_t from)
{
    DmaDescriptor line = send(0, 0, 1, bytes);
    line.local_address = from;
    line.remote_address = 512;
    load(0, {line, end(1)});
    load(1, {receive(0, 1), end(1)});
}

void DmaBench::start(ProcessorId id, std::uint32_t control)
{
    write(id, dma_register::control, control | dma_control::start);
}

void DmaBench::start_all(std::uint32_t control)
{
    for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
        start(id, control);
}

std::uint32_t DmaBench::read(ProcessorId id, std::uint32_t offset)
{
    std::vector<std::uint8_t> bytes(4);
    Transaction transaction(tlm::TLM_READ_COMMAND, offset, bytes);
    REQUIRE(transport(id, transaction) == tlm::TLM_OK_RESPONSE);
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

void DmaBench::write(ProcessorId id, std::uint32_t offset, std::uint32_t value)
{
    std::vector<std::uint8_t> bytes(4);
    std::memcpy(bytes.data(), &value, sizeof value);
    Transaction transaction(tlm::TLM_WRITE_COMMAND, offset, bytes);
    REQUIRE(transport(id, transaction) == tlm::TLM_OK_RESPONSE);
}

tlm::tlm_response_status DmaBench::transport(ProcessorId id, tlm::tlm_generic_payload& transaction)
{
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    board_->registers[id]->b_transport(transaction, delay);
    REQUIRE(delay == sc_core::SC_ZERO_TIME);
    return transaction.get_response_status();
}

unsigned DmaBench::debug(ProcessorId id, tlm::tlm_generic_payload& transaction)
{
    return board_->registers[id]->transport_dbg(transaction);
}

void DmaBench::poke(ProcessorId id, std::uint32_t address, const std::vector<std::uint8_t>& bytes)
{
    std::vector<std::uint8_t> copy = bytes;
    Transaction transaction(tlm::TLM_WRITE_COMMAND, address, copy);
    REQUIRE(board_->engines[id]->memory->transport_dbg(transaction) == bytes.size());
}

std::vector<std::uint8_t> DmaBench::peek(ProcessorId id) const
{
    const auto contents = board_->memories[id]->contents();
    return {contents.begin(), contents.end()};
}

bool DmaBench::interrupt(ProcessorId id) const
{
    return board_->interrupts[id].read();
}

Cycle DmaBench::transfer_cycles(ProcessorId source, ProcessorId destination, std::uint32_t bytes) const
{
    const HardwareConfig& config = board_->network.config();
    return zero_load_cycles(topology_, config, routing_.route(source, destination), config.flits(bytes));
}

Cycle DmaBench::start_up_cycles() const
{
    const HardwareConfig& config = board_->network.config();
    return static_cast<Cycle>(config.t0_ns / config.cycle_ns);
}

Cycle DmaBench::cycle_of(const sc_core::sc_time& time)
{
    REQUIRE(time.value() % board_->network.domain().period().value() == 0);
    return time.value() / board_->network.domain().period().value();
}

Network& DmaBench::network()
{
    return board_->network;
}

const DmaEngine& DmaBench::engine(ProcessorId id) const
{
    return *board_->engines[id];
}

} // namespace nocturne::test
