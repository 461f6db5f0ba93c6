#include "tests/sim/execution/dma_system.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {

Host::Host(const sc_core::sc_module_name& name, std::size_t engine_count, std::uint32_t control,
           HostProgram program)
    : sc_module(name), engines("engine", engine_count), memories("memory", engine_count),
      interrupts("interrupt", engine_count), control_(control), program_(program)
{
    SC_HAS_PROCESS(Host);
    SC_METHOD(start_engines);
    SC_METHOD(serve_interrupts);
    // Not a range: the iterators of sc_vector compare ambiguously in C++20.
    for (std::size_t engine = 0; engine < engine_count; ++engine)
        sensitive << interrupts[engine].pos();
    dont_initialize();
}

void Host::start_engines()
{
    if (program_ == HostProgram::driven)
        return;
    for (std::size_t engine = 0; engine < engines.size(); ++engine) {
        write_register(engine, dma_register::program, 0);
        write_register(engine, dma_register::control, control_ | dma_control::start);
    }
}

void Host::serve_interrupts()
{
    if (program_ == HostProgram::driven) {
        sc_core::sc_pause();
        return;
    }
    for (std::size_t engine = 0; engine < engines.size(); ++engine) {
        if (!interrupts[engine].read())
            continue;
        if ((read_register(engine, dma_register::status) & dma_status::done) == 0)
            continue; // an error stays in the register, to be read after the run
        ++done_;
        write_register(engine, dma_register::status, dma_status::done);
    }
}

std::uint32_t Host::read_register(std::size_t engine, std::uint32_t offset)
{
    std::uint32_t value = 0;
    transfer(engines[engine], tlm::TLM_READ_COMMAND, offset, {&value, 1});
    return value;
}

void Host::write_register(std::size_t engine, std::uint32_t offset, std::uint32_t value)
{
    transfer(engines[engine], tlm::TLM_WRITE_COMMAND, offset, {&value, 1});
}

std::vector<std::uint32_t> Host::read_memory(std::size_t memory, std::uint32_t address, std::size_t words)
{
    std::vector<std::uint32_t> result(words);
    transfer(memories[memory], tlm::TLM_READ_COMMAND, address, result);
    return result;
}

void Host::write_memory(std::size_t memory, std::uint32_t address, std::vector<std::uint32_t> words)
{
    transfer(memories[memory], tlm::TLM_WRITE_COMMAND, address, words);
}

void Host::transfer(tlm_utils::simple_initiator_socket<Host>& socket, tlm::tlm_command command,
                    std::uint32_t address, std::span<std::uint32_t> words)
{
    if (words.empty())
        return;
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
    transaction.set_data_length(static_cast<unsigned>(words.size_bytes()));
    transaction.set_streaming_width(transaction.get_data_length());
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(transaction, delay);
    if (!transaction.is_response_ok())
        throw std::runtime_error(fmt::format("host: {} refuses {} bytes at {:#x}", socket.name(),
                                             transaction.get_data_length(), transaction.get_address()));
}

namespace {

std::uint32_t control_bits(const Workload& workload)
{
    return dma_control::interrupt_enable |
           (workload.synchronization == Synchronization::self_timed ? dma_control::self_timed : 0) |
           (workload.start_up == StartUp::once ? dma_control::chained : 0);
}

Routing with_classes(Routing routing, const VcClasses& classes)
{
    routing.vc_classes = classes;
    return routing;
}

} // namespace

System::System(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
               PortModel ports, const Workload& workload, const std::vector<CompiledEngine>& compiled,
               HostProgram program, const VcClasses& vc_classes)
    : sc_module(name),
      network_("network", topology, config, ports, with_classes(routing_of(workload), vc_classes)),
      barrier_("barrier", topology.processor_count()),
      host_("host", topology.processor_count(), control_bits(workload), program),
      interrupts_("interrupt", topology.processor_count())
{
    const DmaEngineConfig engine_config{network_.domain().period() *
                                            static_cast<double>(config.start_up_cycles()),
                                        config.flit_bytes, network_.domain().period()};
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const PacketMaker make_packet = [this, id, routing = routing_of(workload)](ProcessorId destination,
                                                                                   std::uint64_t bytes,
                                                                                   const Route& route) {
            const auto flits = static_cast<std::uint32_t>(network_.config().flits(bytes));
            if (!routing.adaptive())
                network_.check_route(id, destination, route);
            const PacketId packet = routing.adaptive() ? network_.make_packet(id, destination, flits, routing)
                                                       : network_.make_packet(id, destination, flits, route);
            network_.packets()[packet].priority = 1; // before background traffic, where arbiters ask for it
            return packet;
        };
        memories_.push_back(
            std::make_unique<Memory>(fmt::format("memory_{}", id).c_str(), compiled[id].memory_bytes));
        engines_.push_back(std::make_unique<DmaEngine>(fmt::format("dma_{}", id).c_str(), engine_config,
                                                       network_.interface(id), network_.packets(),
                                                       make_packet, barrier_));
        engines_[id]->memory.bind(memories_[id]->socket);
        host_.engines[id].bind(engines_[id]->registers);
        host_.memories[id].bind(memories_[id]->host);
        engines_[id]->interrupt.bind(interrupts_[id]);
        host_.interrupts[id].bind(interrupts_[id]);
    }
}

} // namespace nocturne
