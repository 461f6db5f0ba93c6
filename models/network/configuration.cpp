#include "models/network/configuration.hpp"

#include "models/network/clock_crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace nocturne {

std::uint64_t whole_cycles(double ns, double cycle_ns)
{
    constexpr std::uint64_t fs_per_ns = 1'000'000;
    const auto fs = [](double time_ns) {
        return static_cast<std::uint64_t>(std::llround(time_ns * static_cast<double>(fs_per_ns)));
    };
    const std::uint64_t cycle = fs(cycle_ns);
    const auto whole_ns = static_cast<std::uint64_t>(ns);
    // Divided in two parts, each of which is exact in 64 bits.
    const std::uint64_t rest = whole_ns % cycle * fs_per_ns + fs(ns - std::floor(ns));
    return whole_ns / cycle * fs_per_ns + (rest + cycle - 1) / cycle;
}

unsigned HardwareConfig::full_rate_buffer_flits(const ClockedPipeline& from, const ClockedPipeline& to,
                                                unsigned latency_cycles) const
{
    // Forth: switch traversal, link. There: a flit queues behind a head that is still being routed. Back:
    // link, credit.
    const std::uint64_t forth = 1 + from.stages.switch_traversal + latency_cycles;
    const std::uint64_t there = to.stages.head_cycles();
    const std::uint64_t back = 1 + latency_cycles;
    if (from.clock == to.clock)
        return static_cast<unsigned>(forth + there + back + credit_cycles);
    const ClockCrossing crossing(from.clock, to.clock, synchronizer_cycles);
    const ClockCrossing return_crossing(to.clock, from.clock, synchronizer_cycles);
    const std::uint64_t by_receiver = crossing.most_cycles(forth) + synchronizer_cycles + there + back;
    const std::uint64_t by_sender =
        return_crossing.most_cycles(by_receiver) + synchronizer_cycles + credit_cycles;
    // Flits follow each other in cycles of the slower clock.
    return static_cast<unsigned>(std::min(by_sender, crossing.most_cycles(by_sender)) + 1);
}

unsigned HardwareConfig::injection_buffer_of(const Topology& topology, RouterId at) const
{
    if (const unsigned own = topology.part(at).buffer_flits; own != 0)
        return own;
    const ClockedPipeline there = clocked_pipeline_of(topology, at);
    return buffer_flits != 0 ? buffer_flits : full_rate_buffer_flits({there.stages, {}}, there, link_cycles);
}

unsigned HardwareConfig::full_rate_buffer_of(const Topology& topology, const Channel& channel) const
{
    // Longer ones are refused where the network is planned.
    const std::uint64_t latency =
        std::min(std::uint64_t{channel.latency_cycles} * link_cycles, longest_latency_cycles);
    return full_rate_buffer_flits(clocked_pipeline_of(topology, channel.source),
                                  clocked_pipeline_of(topology, channel.target),
                                  static_cast<unsigned>(latency));
}

unsigned HardwareConfig::buffer_of(const Topology& topology, const Channel& channel) const
{
    unsigned flits = channel.buffer_flits;
    if (flits == 0)
        flits = topology.part(channel.target).buffer_flits;
    if (flits == 0)
        flits = buffer_flits != 0 ? buffer_flits : full_rate_buffer_of(topology, channel);
    const unsigned pool = pool_of(topology, channel);
    return pool == 0 ? flits : std::min(flits, 1 + pool);
}

unsigned HardwareConfig::ejection_credits_of(const Topology& topology, RouterId at) const
{
    const ClockedPipeline there = clocked_pipeline_of(topology, at);
    return std::max(buffer_flits, full_rate_buffer_flits(there, {there.stages, {}}, link_cycles));
}

FlitRate HardwareConfig::flit_rate(unsigned thousandths) const
{
    const unsigned flit = 1000 * flit_bytes;
    if (thousandths == 0 || thousandths >= flit)
        return {};
    const unsigned common = std::gcd(thousandths, flit);
    return {thousandths / common, flit / common};
}

unsigned HardwareConfig::most_vcs_of(const Topology& topology) const
{
    unsigned most = topology.router_count() == 0 ? vcs : 1;
    for (RouterId id = 0; id < topology.router_count(); ++id)
        most = std::max(most, vcs_of(topology, id));
    for (const Channel& channel : topology.channels())
        most = std::max(most, vcs_of(topology, channel));
    return most;
}

unsigned HardwareConfig::router_cycles_of(const Topology& topology, RouterId at) const
{
    const ClockRatio& clock = topology.part(at).clock;
    return (pipeline_of(topology, at).cycles() * clock.base + clock.ticks - 1) / clock.ticks;
}

PathCost HardwareConfig::path_cost_on(const Topology& topology) const
{
    PathCost cost{pipeline_of(topology).cycles(), link_cycles};
    if (topology.has_router_parts())
        for (RouterId id = 0; id < topology.router_count(); ++id)
            cost.own_router_cycles.push_back(router_cycles_of(topology, id));
    return cost;
}

std::string own_property(const Topology& topology, std::initializer_list<std::string_view> names)
{
    const auto is_named = [&](std::string_view name) {
        return std::ranges::find(names, name) != names.end();
    };
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id)
        for (const auto& [name, value] : properties_of(topology.part(id)))
            if (is_named(name))
                return fmt::format("router {} has {} {} of its own", topology.router_name(id), name, value);
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        if (is_named("vcs") && channel.vcs != 0)
            return fmt::format("{} has {} virtual channels of its own", describe_channel(topology, id),
                               channel.vcs);
        if (is_named("buffers") && channel.buffer_flits != 0)
            return fmt::format("{} has buffers of {} flits of its own", describe_channel(topology, id),
                               channel.buffer_flits);
    }
    return {};
}

void HardwareConfig::validate() const
{
    const auto require = [](bool holds, auto value, const char* name, const char* range) {
        if (!holds)
            throw std::invalid_argument(fmt::format("hardware: {} = {}: it must be {}", name, value, range));
    };
    const auto finite_from = [](double value, double least) {
        return std::isfinite(value) && value >= least;
    };
    require(finite_from(cycle_ns, 0.001) && cycle_ns <= 1e6, cycle_ns, "cycle_ns", "from 0.001 to 1000000");
    require(std::abs(cycle_ns * 1000 - std::round(cycle_ns * 1000)) < 1e-6, cycle_ns, "cycle_ns",
            "a multiple of 0.001");
    require(flit_bytes >= 1 && flit_bytes <= 4096, flit_bytes, "flit_bytes", "from 1 to 4096");
    require(finite_from(t0_ns, 0) && t0_ns <= 1e12, t0_ns, "t0_ns", "from 0 to 1e12");
    require(link_cycles >= 1 && link_cycles <= 1000, link_cycles, "link_cycles", "from 1 to 1000");
    require(credit_cycles <= 1000, credit_cycles, "credit_cycles", "from 0 to 1000");
    require(interface_cycles >= 1 && interface_cycles <= 1000, interface_cycles, "interface_cycles",
            "from 1 to 1000");
    require(buffer_flits <= 65536, buffer_flits, "buffer_flits", "from 0 to 65536");
    require(vcs >= 1 && vcs <= 32, vcs, "vcs", "from 1 to 32");
    require(allocation.switch_allocator != AllocatorKind::rotating, to_string(allocation.switch_allocator),
            "switch_allocator", "another: only virtual channels rotate");
    require(allocation.vc_allocator != AllocatorKind::rotating ||
                allocation.arbiter == ArbiterKind::round_robin,
            to_string(allocation.arbiter), "arbiter", "round_robin if virtual channels rotate");
    require(allocation.iterations >= 1 && allocation.iterations <= 32, allocation.iterations, "iterations",
            "from 1 to 32");
    require(allocation.iterations == 1 || allocation.switch_allocator == AllocatorKind::islip,
            allocation.iterations, "iterations", "1 unless the switch allocator is islip");
    require(allocation.input_speedup >= 1 && allocation.input_speedup <= vcs, allocation.input_speedup,
            "input_speedup", "from 1 to the number of virtual channels");
    require(synchronizer_cycles >= 1 && synchronizer_cycles <= 100, synchronizer_cycles,
            "synchronizer_cycles", "from 1 to 100");
    try {
        router.validate();
        crossbar.validate();
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("hardware: {}", error.what()));
    }
}

} // namespace nocturne
