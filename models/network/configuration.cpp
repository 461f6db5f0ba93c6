#include "models/network/configuration.hpp"

#include <fmt/format.h>

#include <cmath>
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

unsigned HardwareConfig::full_rate_buffer_flits(const Pipeline& pipeline, unsigned latency_cycles) const
{
    // Forth: switch traversal, link. There: a flit queues behind a head that is still being routed. Back:
    // link, credit.
    return (1 + pipeline.switch_traversal + latency_cycles) + pipeline.head_cycles() +
           (1 + latency_cycles + credit_cycles);
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
    for (const Pipeline& stages : {router, crossbar}) {
        require(stages.route_computation <= 100, stages.route_computation, "route_computation",
                "from 0 to 100");
        require(stages.vc_allocation >= 1 && stages.vc_allocation <= 100, stages.vc_allocation,
                "vc_allocation", "from 1 to 100");
        require(stages.switch_allocation <= 100, stages.switch_allocation, "switch_allocation",
                "from 0 to 100");
        require(stages.switch_traversal <= 100, stages.switch_traversal, "switch_traversal", "from 0 to 100");
        require(stages.speculation == Speculation::none || stages.switch_allocation == 0,
                stages.switch_allocation, "switch_allocation", "0 in a speculative pipeline");
    }
}

} // namespace nocturne
