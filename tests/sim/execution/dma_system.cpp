#include "tests/sim/execution/dma_system.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {

Host::Host(const sc_core::sc_module_name& name, std::size_t engine_count, std::uint32_t control)
    : sc_module(name), engines("engine", engine_count), interrupts("interrupt", engine_count),
      control_(control)
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
    for (std::size_t engine = 0; engine < engines.size(); ++engine) {
        std::uint32_t program = 0, control = control_ | dma_control::start;
        access(engine, tlm::TLM_WRITE_COMMAND, dma_register::program, program);
        access(engine, tlm::TLM_WRITE_COMMAND, dma_register::control, control);
    }
}

void Host::serve_interrupts()
{
    for (std::size_t engine = 0; engine < engines.size(); ++engine) {
        if (!interrupts[engine].read())
            continue;
        std::uint32_t status = 0;
        access(engine, tlm::TLM_READ_COMMAND, dma_register::status, status);
        if ((status & dma_status::done) == 0)
            continue; // an error: then not all are done
        ++done_;
        status = dma_status::done;
        access(engine, tlm::TLM_WRITE_COMMAND, dma_register::status, status);
    }
}

void Host::access(std::size_t engine, tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value)
{
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(offset);
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    transaction.set_data_length(sizeof value);
    transaction.set_streaming_width(sizeof value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    engines[engine]->b_transport(transaction, delay);
    if (!transaction.is_response_ok())
        throw std::runtime_error(fmt::format("host: engine {} refuses {:#x}", engine, offset));
}

namespace {

std::uint32_t control_bits(const Workload& workload)
{
    return dma_control::interrupt_enable |
           (workload.synchronization == Synchronization::self_timed ? dma_control::self_timed : 0) |
           (workload.start_up == StartUp::once ? dma_control::chained : 0);
}

} // namespace

System::System(const sc_core::sc_module_name& name, const Topology& topology, PortModel ports,
               const Workload& workload, const std::vector<CompiledEngine>& compiled)
    : sc_module(name), network_("network", topology, HardwareConfig{}, ports, routing_of(workload)),
      barrier_("barrier", topology.processor_count()),
      host_("host", topology.processor_count(), control_bits(workload)),
      interrupts_("interrupt", topology.processor_count())
{
    const HardwareConfig config;
    const DmaEngineConfig engine_config{network_.domain().period() *
                                            static_cast<double>(config.start_up_cycles()),
                                        config.flit_bytes, network_.domain().period()};
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const PacketMaker make_packet = [this, id](ProcessorId destination, std::uint64_t bytes,
                                                   const Route& route) {
            const auto flits = static_cast<std::uint32_t>(network_.config().flits(bytes));
            network_.check_route(id, destination, route);
            return network_.make_packet(id, destination, flits, route);
        };
        memories_.push_back(
            std::make_unique<Memory>(fmt::format("memory_{}", id).c_str(), compiled[id].memory_bytes));
        engines_.push_back(std::make_unique<DmaEngine>(fmt::format("dma_{}", id).c_str(), engine_config,
                                                       network_.interface(id), network_.packets(),
                                                       make_packet, barrier_));
        engines_[id]->memory.bind(memories_[id]->socket);
        host_.engines[id].bind(engines_[id]->registers);
        engines_[id]->interrupt.bind(interrupts_[id]);
        host_.interrupts[id].bind(interrupts_[id]);
    }
}

} // namespace nocturne
