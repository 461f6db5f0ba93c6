// Processors that run programs, initiators beside them, and the platform of 4x4 tiles that they are in.
#pragma once

#include "models/fabric/fabric.hpp"
#include "models/routing/random.hpp"
#include "testbenches/soc_platform/parts.hpp"

#include <tlm_utils/tlm_quantumkeeper.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nocturne::soc_platform {

/// What a processor has done, from when to when.
struct Phase {
    std::string name;
    sc_core::sc_time begin;
    sc_core::sc_time end;
};

/// Runs a program in an SC_THREAD, ahead of simulated time by up to the global quantum. To the program it is
/// the instruction set: loads, stores, time to compute, and the interrupt of the tile's DMA engine.
class Cpu final : public sc_core::sc_module {
public:
    using Program = std::function<void(Cpu&)>;

    tlm_utils::simple_initiator_socket<Cpu> bus{"bus"};
    sc_core::sc_in<bool> interrupt{"interrupt"};

    Cpu(const sc_core::sc_module_name& name, unsigned tile, Program program);

    unsigned tile() const { return tile_; }
    /// `address` as all tiles see it; bursts of any length.
    void read(std::uint64_t address, void* data, std::size_t bytes);
    void write(std::uint64_t address, const void* data, std::size_t bytes);
    /// The same in the memory of its own tile.
    void load(std::uint64_t offset, void* data, std::size_t bytes) { read(base() + offset, data, bytes); }
    void store(std::uint64_t offset, const void* data, std::size_t bytes)
    {
        write(base() + offset, data, bytes);
    }
    /// Has its DMA engine carry out a command, and waits for the interrupt.
    void run_engine(DmaCommand command, std::uint64_t source, std::uint64_t destination,
                    std::uint64_t length);
    void compute(double ns);

    void begin_phase(std::string name);
    void end_phase();
    const std::vector<Phase>& phases() const { return phases_; }
    bool has_ended() const { return has_ended_; }
    /// Once it has ended.
    const sc_core::sc_time& end() const { return end_; }

private:
    std::uint64_t base() const { return tile_ * tile_bytes; }
    void run();
    void access(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes);
    void write_register(DmaRegister which, std::uint64_t value);

    const unsigned tile_;
    const Program program_;
    tlm_utils::tlm_quantumkeeper keeper_;
    std::vector<Phase> phases_;
    bool has_ended_ = false;
    sc_core::sc_time end_;
};

struct BackgroundWrites {
    double gap_cycles = 0; ///< mean time from a response to the next request; 0: no traffic
    unsigned bytes = 64;   ///< of a write
    std::uint64_t seed = 1;
};

/// Writes to the scratch areas of all other tiles, until `is_over`.
class BackgroundInitiator final : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<BackgroundInitiator> socket{"socket"};

    BackgroundInitiator(const sc_core::sc_module_name& name, unsigned tile, unsigned tiles,
                        const BackgroundWrites& traffic, double cycle_ns, std::function<bool()> is_over);

private:
    void run();

    const unsigned tile_;
    const unsigned tiles_;
    const BackgroundWrites traffic_;
    const double cycle_ns_;
    const std::function<bool()> is_over_;
};

struct PlatformConfig {
    std::string topology = "torus:4x4"; ///< with a grid of rows and columns
    FabricConfig fabric;
    PartTimes times;
    BackgroundWrites background;
    double quantum_ns = 1000; ///< of the processors

    /// Throws std::invalid_argument, naming it, for a time of the engines that is not a whole number of
    /// cycles from 0 to 1 ms, and a gap of the background traffic that is not from 0 to 1,000,000 cycles.
    void validate() const;
};

/// The fabric that the platform has by default: `flit`, and the virtual channels that a torus needs for
/// requests and responses.
FabricConfig default_fabric();

/// Its ports: of each tile the processor, the DMA engine and the background initiator, and the memory.
FabricPorts platform_ports(const Topology& topology);
AddressMap platform_map(const Topology& topology);

class Platform final : public sc_core::sc_module {
public:
    /// All processors run the same program. Throws std::invalid_argument as the fabric does.
    Platform(const sc_core::sc_module_name& name, const PlatformConfig& config, const Cpu::Program& program);

    unsigned tiles() const { return static_cast<unsigned>(tiles_.size()); }
    std::vector<std::uint8_t>& memory(unsigned tile) { return tiles_[tile]->memory.bytes(); }
    const Fabric& fabric() const { return fabric_; }
    const Cpu& processor(unsigned tile) const { return tiles_[tile]->processor; }

private:
    struct Tile {
        Tile(unsigned index, unsigned tiles, const PlatformConfig& config, const Cpu::Program& program,
             const std::function<bool()>& is_over);

        TileMemory memory;
        LocalBus bus;
        TileEngine engine;
        Cpu processor;
        BackgroundInitiator background;
        sc_core::sc_signal<bool> interrupt;
    };

    void connect(unsigned index, Tile& tile);

    const Topology topology_;
    Fabric fabric_;
    TileBarrier barrier_;
    std::vector<std::unique_ptr<Tile>> tiles_;
};

} // namespace nocturne::soc_platform
