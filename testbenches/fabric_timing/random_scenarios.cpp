#include "models/topology/make_topology.hpp"
#include "testbenches/fabric_timing/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nocturne::fabric_timing {

namespace {

template <class Values>
auto draw_of(SplitMix64& random, const Values& values)
{
    return values[random.below(static_cast<std::uint32_t>(std::size(values)))];
}

/// `count` different ones.
std::vector<ProcessorId> draw_processors(SplitMix64& random, std::uint32_t processors, std::uint32_t count)
{
    std::vector<ProcessorId> all(processors);
    for (std::uint32_t i = 0; i < processors; ++i) {
        const std::uint32_t place = random.below(i + 1);
        all[i] = all[place];
        all[place] = i;
    }
    all.resize(count);
    return all;
}

TrafficPlan draw_traffic(SplitMix64& random, double quantum_cycles)
{
    TrafficPlan plan;
    plan.asking = draw_of(random, std::array{Asking::open, Asking::blocking, Asking::window});
    plan.quantum_cycles = quantum_cycles;
    plan.most_bytes = draw_of(random, std::array{8u, 64u, 64u, 256u});
    plan.least_bytes = random.below(2) == 0 ? 4 : plan.most_bytes;
    plan.read_percent = draw_of(random, std::array{0u, 50u, 50u, 100u});
    plan.gap_cycles = plan.most_bytes * draw_of(random, std::array{0.5, 1.0, 2.0, 5.0, 10.0});
    plan.threads = 1 + random.below(4);
    plan.outstanding = 1 + random.below(8);
    return plan;
}

std::string describe(const Scenario::Group& group)
{
    const TrafficPlan& plan = group.plan;
    const std::string asking =
        plan.asking == Asking::open ? "nb_transport"
        : plan.asking == Asking::window
            ? fmt::format("nb_transport, {} outstanding", plan.outstanding)
            : fmt::format("b_transport, threads {}, quantum {:.0f}", plan.threads, plan.quantum_cycles);
    return fmt::format("{} initiators, {}, {} to {} B, reads {} %, gap {:.0f}", group.processors.size(),
                       asking, plan.least_bytes, plan.most_bytes, plan.read_percent, plan.gap_cycles);
}

} // namespace

Scenario random_scenario(std::uint64_t seed)
{
    SplitMix64 random(seed);
    Scenario scenario;
    scenario.topology = draw_of(random, std::array{"mesh:2x2", "mesh:2x4", "mesh:3x3", "mesh:4x4", "ring:5",
                                                   "ring:8", "torus:3x3", "torus:4x4", "star:6", "complete:5",
                                                   "fattree:4,2", "hypercube:3", "octagon:8"});
    const auto processors = static_cast<std::uint32_t>(make_topology(scenario.topology).processor_count());
    const double quantum = draw_of(random, std::array{0.0, 0.0, 0.0, 100.0, 1000.0, 10000.0});
    scenario.memories = draw_processors(random, processors, 1 + random.below(processors));
    scenario.name = fmt::format("{}: {}, {} memories", seed, scenario.topology, scenario.memories.size());
    for (unsigned groups = 1 + random.below(2); groups > 0; --groups) {
        scenario.groups.push_back({draw_processors(random, processors, 1 + random.below(processors)),
                                   draw_traffic(random, quantum)});
        scenario.name += "; " + describe(scenario.groups.back());
    }
    return scenario;
}

} // namespace nocturne::fabric_timing
