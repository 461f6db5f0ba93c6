// Processors with DMA engines and memories around a network, and the test as their driver.
#pragma once

#include "models/hardware/dma_engine.hpp"
#include "models/hardware/memory.hpp"
#include "models/hardware/network.hpp"
#include "models/routing/routing.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <memory>
#include <string>
#include <vector>

namespace nocturne::test {

struct DmaBenchConfig {
    std::string topology = "mesh:2";
    HardwareConfig hardware;
    std::size_t memory_bytes = 4096;
};

/// Elaborated and at time zero: registers can be accessed between two calls of run_...().
class DmaBench {
public:
    explicit DmaBench(const DmaBenchConfig& config = {});
    ~DmaBench();

    // Programs. Routes are shortest paths.
    DmaDescriptor send(std::uint32_t step, ProcessorId source, ProcessorId destination,
                       std::uint32_t length) const;
    static DmaDescriptor receive(std::uint32_t step, std::uint32_t messages);
    static DmaDescriptor end(std::uint32_t steps);

    /// Puts words into a memory and the address of the first into the engine's program register.
    void load(ProcessorId id, const std::vector<std::uint32_t>& words,
              std::uint32_t address = program_address);
    void load(ProcessorId id, const DmaProgram& program) { load(id, encode(program, program_address)); }
    /// Programs in which engine 0 sends `bytes` from its address `from` to address 512 of engine 1.
    void load_one_message(std::uint32_t bytes, std::uint32_t from = 0);
    /// Writes the control register with the start bit set.
    void start(ProcessorId id, std::uint32_t control = 0);
    void start_all(std::uint32_t control = 0);

    // Registers and memories.
    std::uint32_t read(ProcessorId id, std::uint32_t offset);
    std::uint32_t status(ProcessorId id) { return read(id, dma_register::status); }
    void write(ProcessorId id, std::uint32_t offset, std::uint32_t value);
    tlm::tlm_response_status transport(ProcessorId id, tlm::tlm_generic_payload& transaction);
    unsigned debug(ProcessorId id, tlm::tlm_generic_payload& transaction);
    void poke(ProcessorId id, std::uint32_t address, const std::vector<std::uint8_t>& bytes);
    std::vector<std::uint8_t> peek(ProcessorId id) const;
    bool interrupt(ProcessorId id) const;

    /// Simulated cycles until a message of `bytes` is complete, from its start in an engine's program.
    Cycle transfer_cycles(ProcessorId source, ProcessorId destination, std::uint32_t bytes) const;
    Cycle start_up_cycles() const;
    Cycle cycle_of(const sc_core::sc_time& time);

    Network& network();
    const DmaEngine& engine(ProcessorId id) const;

    static constexpr std::uint32_t program_address = 2048;

private:
    struct Board;
    Simulation simulation_;
    Topology topology_;
    Routing routing_;
    std::unique_ptr<Board> board_;
};

} // namespace nocturne::test
