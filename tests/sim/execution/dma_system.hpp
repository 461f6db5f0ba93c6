// The whole machine: a network, and behind each network interface a DMA engine with its memory, run by a
// host.
#pragma once

#include "models/hardware/dma_engine.hpp"
#include "models/hardware/memory.hpp"
#include "models/hardware/network.hpp"
#include "sim/execution/compile_dma_programs.hpp"

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <vector>

namespace nocturne {

/// Times are whole picoseconds: dividing them by a time keeps them exact.
inline double in_ns(const sc_core::sc_time& time)
{
    return time / sc_core::sc_time(1, sc_core::SC_NS);
}

/// Starts every engine at time 0 and takes note of those that are done. Its accesses take no time.
class Host final : public sc_core::sc_module {
public:
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<Host>> engines;
    sc_core::sc_vector<sc_core::sc_in<bool>> interrupts;

    /// `control` is written to each control register: dma_control.
    Host(const sc_core::sc_module_name& name, std::size_t engine_count, std::uint32_t control);

    /// Engines whose interrupt said that they are done.
    std::size_t done() const { return done_; }

private:
    void start_engines();
    void serve_interrupts();
    /// Of a register. Throws std::runtime_error if the engine refuses.
    void access(std::size_t engine, tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value);

    const std::uint32_t control_;
    std::size_t done_ = 0;
};

class System final : public sc_core::sc_module {
public:
    /// Throws what Network throws.
    System(const sc_core::sc_module_name& name, const Topology& topology, PortModel ports,
           const Workload& workload, const std::vector<CompiledEngine>& compiled);

    const Host& host() const { return host_; }
    Memory& memory(ProcessorId id) { return *memories_[id]; }
    const DmaEngine& engine(ProcessorId id) const { return *engines_[id]; }

private:
    Network network_;
    Barrier barrier_;
    Host host_;
    std::vector<std::unique_ptr<Memory>> memories_;
    std::vector<std::unique_ptr<DmaEngine>> engines_;
    sc_core::sc_vector<sc_core::sc_signal<bool>> interrupts_;
};

} // namespace nocturne
