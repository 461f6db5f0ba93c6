#include "testbenches/soc_platform/platform.hpp"

#include "models/topology/make_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace nocturne::soc_platform {

Cpu::Cpu(const sc_core::sc_module_name& name, unsigned tile, Program program)
    : sc_module(name), tile_(tile), program_(std::move(program))
{
    SC_HAS_PROCESS(Cpu);
    SC_THREAD(run);
    set_stack_size(1 << 20); // programs call numerical libraries
}

void Cpu::run()
{
    keeper_.reset();
    program_(*this);
    keeper_.sync();
    has_ended_ = true;
    end_ = sc_core::sc_time_stamp();
}

void Cpu::access(tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes)
{
    if (keeper_.need_sync())
        keeper_.sync();
    sc_core::sc_time delay = keeper_.get_local_time();
    transport(bus, command, address, data, bytes, delay);
    keeper_.set(delay);
}

void Cpu::read(std::uint64_t address, void* data, std::size_t bytes)
{
    access(tlm::TLM_READ_COMMAND, address, data, bytes);
}

void Cpu::write(std::uint64_t address, const void* data, std::size_t bytes)
{
    // A payload has one pointer for both directions; a target does not change what it is to write.
    access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
}

void Cpu::write_register(DmaRegister which, std::uint64_t value)
{
    store(register_offset + 8 * static_cast<std::uint64_t>(which), &value, sizeof value);
}

void Cpu::run_engine(DmaCommand command, std::uint64_t source, std::uint64_t destination,
                     std::uint64_t length)
{
    write_register(DmaRegister::source, source);
    write_register(DmaRegister::destination, destination);
    write_register(DmaRegister::length, length);
    write_register(DmaRegister::go, static_cast<std::uint64_t>(command));
    keeper_.sync();
    while (!interrupt.read())
        wait(interrupt.posedge_event());
    write_register(DmaRegister::status, 0);
    keeper_.sync();
    while (interrupt.read()) // the wire follows a delta cycle later
        wait(interrupt.negedge_event());
}

void Cpu::compute(double ns)
{
    keeper_.inc(sc_core::sc_time(ns, sc_core::SC_NS));
}

void Cpu::begin_phase(std::string name)
{
    phases_.push_back({std::move(name), keeper_.get_current_time(), {}});
}

void Cpu::end_phase()
{
    phases_.back().end = keeper_.get_current_time();
}

BackgroundInitiator::BackgroundInitiator(const sc_core::sc_module_name& name, unsigned tile, unsigned tiles,
                                         const BackgroundWrites& traffic, double cycle_ns,
                                         std::function<bool()> is_over)
    : sc_module(name), tile_(tile), tiles_(tiles), traffic_(traffic), cycle_ns_(cycle_ns),
      is_over_(std::move(is_over))
{
    SC_HAS_PROCESS(BackgroundInitiator);
    if (traffic_.gap_cycles > 0)
        SC_THREAD(run);
}

void BackgroundInitiator::run()
{
    SplitMix64 random(traffic_.seed + tile_);
    std::vector<std::uint8_t> data(traffic_.bytes, static_cast<std::uint8_t>(tile_));
    while (!is_over_()) {
        const double gap = std::round(-std::log(1 - random.uniform()) * traffic_.gap_cycles);
        wait(sc_core::sc_time(gap * cycle_ns_, sc_core::SC_NS));
        const unsigned other = (tile_ + 1 + random.below(tiles_ - 1)) % tiles_;
        sc_core::sc_time delay;
        transport(socket, tlm::TLM_WRITE_COMMAND, other * tile_bytes + scratch_offset, data.data(),
                  data.size(), delay);
        wait(delay);
    }
}

void PlatformConfig::validate() const
{
    const double cycle_ns = fabric.hardware.cycle_ns;
    for (const auto& [name, ns] :
         {std::pair{"copy start", times.copy_start_ns}, std::pair{"barrier", times.barrier_ns}})
        if (!(ns >= 0 && ns <= 1e6) || std::fmod(ns, cycle_ns) != 0)
            throw std::invalid_argument(fmt::format(
                "{} of {} ns: whole cycles of {} ns up to 1000000 ns are needed", name, ns, cycle_ns));
    if (!(background.gap_cycles >= 0 && background.gap_cycles <= 1e6))
        throw std::invalid_argument(
            fmt::format("background gap of {} cycles: 0 to 1000000 are needed", background.gap_cycles));
}

FabricConfig default_fabric()
{
    FabricConfig config;
    config.timing = FabricTiming::flit;
    config.hardware.vcs = 4;
    return config;
}

FabricPorts platform_ports(const Topology& topology)
{
    FabricPorts ports;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        for (const char* const kind : {"cpu", "dma", "background"})
            ports.initiators.push_back({fmt::format("{} {}", kind, id), id});
        ports.targets.push_back({fmt::format("memory {}", id), id});
    }
    return ports;
}

AddressMap platform_map(const Topology& topology)
{
    std::vector<AddressRange> ranges;
    for (std::uint64_t id = 0; id < topology.processor_count(); ++id)
        ranges.push_back({fmt::format("memory {}", id), id * tile_bytes, id * tile_bytes + memory_bytes - 1});
    return AddressMap(std::move(ranges));
}

Platform::Tile::Tile(unsigned index, unsigned tiles, const PlatformConfig& config,
                     const Cpu::Program& program, const std::function<bool()>& is_over)
    : memory(fmt::format("memory_{}", index).c_str()),
      bus(fmt::format("bus_{}", index).c_str(), index, config.times),
      engine(fmt::format("dma_{}", index).c_str(), config.times),
      processor(fmt::format("cpu_{}", index).c_str(), index, program),
      background(fmt::format("background_{}", index).c_str(), index, tiles, config.background,
                 config.fabric.hardware.cycle_ns, is_over),
      interrupt(fmt::format("interrupt_{}", index).c_str())
{
}

Platform::Platform(const sc_core::sc_module_name& name, const PlatformConfig& config,
                   const Cpu::Program& program)
    : sc_module(name), topology_(make_topology(config.topology)),
      fabric_("fabric", topology_, platform_map(topology_), platform_ports(topology_), config.fabric),
      barrier_("barrier", static_cast<unsigned>(topology_.processor_count()), config.times)
{
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(config.quantum_ns, sc_core::SC_NS));
    const auto count = static_cast<unsigned>(topology_.processor_count());
    const auto is_over = [this] {
        return std::all_of(tiles_.begin(), tiles_.end(),
                           [](const auto& tile) { return tile->processor.has_ended(); });
    };
    for (unsigned index = 0; index < count; ++index) {
        tiles_.push_back(std::make_unique<Tile>(index, count, config, program, is_over));
        connect(index, *tiles_.back());
    }
}

void Platform::connect(unsigned index, Tile& tile)
{
    tile.processor.bus.bind(tile.bus.processor);
    tile.processor.interrupt.bind(tile.interrupt);
    tile.bus.memory.bind(tile.memory.bus);
    tile.bus.registers.bind(tile.engine.registers);
    tile.bus.network.bind(fabric_.target_socket<32>(fmt::format("cpu {}", index)));
    tile.engine.memory.bind(tile.memory.engine);
    tile.engine.network.bind(fabric_.target_socket<32>(fmt::format("dma {}", index)));
    tile.engine.barrier.bind(barrier_);
    tile.engine.interrupt.bind(tile.interrupt);
    tile.background.socket.bind(fabric_.target_socket<32>(fmt::format("background {}", index)));
    fabric_.initiator_socket<32>(fmt::format("memory {}", index)).bind(tile.memory.network);
}

} // namespace nocturne::soc_platform
