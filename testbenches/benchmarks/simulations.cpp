#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/traffic/traffic_machine.hpp"
#include "testbenches/benchmarks/benchmark_case.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace nocturne::benchmarks {

namespace {

constexpr std::array cases{
    SpeedCase{"mesh:8x8", "dor", 0.05, 8, 1, 20'000},
    SpeedCase{"mesh:8x8", "dor", 0.1, 8, 1, 20'000},
    SpeedCase{"mesh:8x8", "dor", 0.2, 8, 1, 20'000},
    SpeedCase{"mesh:8x8", "dor", 0.1, 1, 1, 20'000},
    SpeedCase{"mesh:8x8", "dor", 0.1, 1, 4, 20'000},
    SpeedCase{"mesh:8x8", "dor", 0.3, 1, 4, 10'000},
    SpeedCase{"mesh:8x8", "dor", 0.1, 8, 4, 20'000},
    SpeedCase{"mesh:8x8", "dor", 0.3, 8, 4, 10'000},
    SpeedCase{"mesh:8x8", "dor", 0.3, 4, 8, 10'000},
    SpeedCase{"mesh:8x8", "dor", 0.3, 8, 8, 10'000},
    SpeedCase{"benes:4,3,2", "tag", 0.1, 8, 1, 20'000},
    SpeedCase{"fattree:4,3", "nca", 0.1, 8, 1, 20'000},
    SpeedCase{"mesh:16x16", "dor", 0.1, 8, 1, 5'000},
    SpeedCase{"mesh:32x32", "dor", 0.05, 8, 1, 2'000},
    SpeedCase{"mesh:64x64", "dor", 0.01, 8, 1, 2'000},
    SpeedCase{"mesh:8x8", "dor", 0.1, 64, 1, 200'000, NetworkModel::worm},
    SpeedCase{"mesh:8x8", "dor", 0.2, 64, 1, 200'000, NetworkModel::worm},
    SpeedCase{"mesh:16x16", "dor", 0.1, 64, 1, 50'000, NetworkModel::worm},
    SpeedCase{"mesh:32x32", "dor", 0.05, 64, 1, 20'000, NetworkModel::worm},
    SpeedCase{"mesh:64x64", "dor", 0.01, 64, 1, 20'000, NetworkModel::worm},
    SpeedCase{"torus:32x32", "auto", 0.05, 64, 2, 20'000, NetworkModel::worm},
};

Sample simulate_messages(const SpeedCase& speed)
{
    Sample sample = simulate(speed);
    sample.work /= speed.packet_flits;
    return sample;
}

} // namespace

Sample simulate(const SpeedCase& speed)
{
    const Topology topology = make_topology(speed.topology);
    const Routing routing = make_routing(topology, speed.routing);
    const Traffic traffic{TrafficPattern::uniform(static_cast<std::uint32_t>(topology.processor_count())),
                          speed.load, MessageSizes(std::vector<MessageSizes::Size>{{speed.packet_flits}}),
                          BernoulliArrivals{}, 1};
    MeasuredNetwork network;
    network.hardware.vcs = speed.vcs;
    network.model = speed.model;
    const ClassTraffic all[] = {{"traffic", traffic, routing}};
    const TrafficSetup setup{topology, all, routing, network};
    const Window window{1, speed.cycles, 1};
    TrafficMachine machine(setup, window, speed.cycles, {});
    machine.network->run_to(1); // elaboration is not what is measured
    const double begin = processor_seconds();
    machine.network->run_to(speed.cycles);
    machine.sources.stop();
    machine.network->drain();
    const Sample sample = sample_since(begin, static_cast<double>(machine.network->flit_hops()));
    if (machine.stall())
        throw std::runtime_error(fmt::format("{}: packets are stuck", speed.topology));
    return sample;
}

std::span<const SpeedCase> speed_cases()
{
    return cases;
}

std::vector<BenchmarkCase> simulation_cases()
{
    std::vector<BenchmarkCase> result;
    for (const SpeedCase& speed : cases) {
        const bool is_flit = speed.model == NetworkModel::flit;
        result.push_back({fmt::format("{}/{}/load {} of {} flits/{} vcs", to_string(speed.model),
                                      speed.topology, speed.load, speed.packet_flits, speed.vcs),
                          is_flit ? "flit-hops" : "message-hops",
                          static_cast<double>(make_topology(speed.topology).processor_count()),
                          [speed, is_flit] { return is_flit ? simulate(speed) : simulate_messages(speed); }});
    }
    return result;
}

} // namespace nocturne::benchmarks
