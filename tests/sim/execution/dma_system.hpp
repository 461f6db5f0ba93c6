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
#include <span>
#include <vector>

namespace nocturne {

/// Times are whole picoseconds: dividing them by a time keeps them exact.
inline double in_ns(const sc_core::sc_time& time)
{
    return time / sc_core::sc_time(1, sc_core::SC_NS);
}

/// What a host does by itself.
enum class HostProgram {
    run_once, ///< starts every engine at time 0, takes note of those that are done
    driven    ///< nothing: an interrupt ends sc_start(), and its caller drives the engines
};

/// Reaches every DMA engine's registers and every memory, and takes the engines' interrupts. Its accesses
/// take no time.
class Host final : public sc_core::sc_module {
public:
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<Host>> engines;
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<Host>> memories;
    sc_core::sc_vector<sc_core::sc_in<bool>> interrupts;

    /// `control` is what run_once writes to each control register: dma_control.
    Host(const sc_core::sc_module_name& name, std::size_t engine_count, std::uint32_t control,
         HostProgram program);

    // Each throws std::runtime_error if the other side refuses.
    std::uint32_t read_register(std::size_t engine, std::uint32_t offset);
    void write_register(std::size_t engine, std::uint32_t offset, std::uint32_t value);
    std::vector<std::uint32_t> read_memory(std::size_t memory, std::uint32_t address, std::size_t words);
    void write_memory(std::size_t memory, std::uint32_t address, std::vector<std::uint32_t> words);

    /// Engines whose interrupt said that they are done.
    std::size_t done() const { return done_; }

private:
    void start_engines();
    void serve_interrupts();
    /// Reads into the words, or writes them.
    void transfer(tlm_utils::simple_initiator_socket<Host>& socket, tlm::tlm_command command,
                  std::uint32_t address, std::span<std::uint32_t> words);

    const std::uint32_t control_;
    const HostProgram program_;
    std::size_t done_ = 0;
};

class System final : public sc_core::sc_module {
public:
    /// `vc_classes`: those of the workload, and behind them those of other traffic. Throws what Network
    /// throws.
    System(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
           PortModel ports, const Workload& workload, const std::vector<CompiledEngine>& compiled,
           HostProgram program, const VcClasses& vc_classes);

    Network& network() { return network_; }
    const Host& host() const { return host_; }
    Host& host() { return host_; }
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
