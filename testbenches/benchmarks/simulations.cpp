#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/traffic_machine.hpp"
#include "testbenches/benchmarks/benchmark_case.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace nocturne::benchmarks {

namespace {

constexpr std::array at_flit_level{
    SpeedCase{"mesh:8x8", "dor", 0.05, 8, 1, 20'000},   SpeedCase{"mesh:8x8", "dor", 0.1, 8, 1, 20'000},
    SpeedCase{"mesh:8x8", "dor", 0.2, 8, 1, 20'000},    SpeedCase{"mesh:8x8", "dor", 0.1, 8, 4, 20'000},
    SpeedCase{"benes:4,3,2", "tag", 0.1, 8, 1, 20'000}, SpeedCase{"fattree:4,3", "nca", 0.1, 8, 1, 20'000},
    SpeedCase{"mesh:16x16", "dor", 0.1, 8, 1, 5'000},   SpeedCase{"mesh:32x32", "dor", 0.05, 8, 1, 2'000},
    SpeedCase{"mesh:64x64", "dor", 0.01, 8, 1, 2'000},
};

constexpr std::array at_message_level{
    SpeedCase{"mesh:8x8", "dor", 0.1, 64, 1, 200'000},   SpeedCase{"mesh:8x8", "dor", 0.2, 64, 1, 200'000},
    SpeedCase{"mesh:16x16", "dor", 0.1, 64, 1, 50'000},  SpeedCase{"mesh:32x32", "dor", 0.05, 64, 1, 20'000},
    SpeedCase{"mesh:64x64", "dor", 0.01, 64, 1, 20'000},
};

Sample simulate(const SpeedCase& speed, NetworkModel model)
{
    const Topology topology = make_topology(speed.topology);
    const Routing routing = make_routing(topology, speed.routing);
    const Traffic traffic{TrafficPattern::uniform(static_cast<std::uint32_t>(topology.processor_count())),
                          speed.load, MessageSizes(std::vector<MessageSizes::Size>{{speed.packet_flits}}),
                          BernoulliArrivals{}, 1};
    MeasuredNetwork network;
    network.hardware.vcs = speed.vcs;
    network.model = model;
    const TrafficSetup setup{topology, routing, network, traffic};
    const Window window{1, speed.cycles, 1};
    const std::unique_ptr<TrafficMachine> machine = model == NetworkModel::flit
                                                        ? make_flit_machine(setup, window, speed.cycles)
                                                        : make_worm_machine(setup, window);
    machine->run_to(1); // elaboration is not what is measured
    const double begin = processor_seconds();
    machine->run_to(speed.cycles);
    machine->stop_sources();
    machine->drain();
    const auto flit_hops = static_cast<double>(machine->flit_hops());
    const Sample sample =
        sample_since(begin, model == NetworkModel::flit ? flit_hops : flit_hops / speed.packet_flits);
    if (machine->checked_stall())
        throw std::runtime_error(fmt::format("{}: packets are stuck", speed.topology));
    return sample;
}

void add_cases(std::vector<BenchmarkCase>& cases, std::span<const SpeedCase> speeds, NetworkModel model)
{
    const bool is_flit = model == NetworkModel::flit;
    for (const SpeedCase& speed : speeds)
        cases.push_back({fmt::format("{}/{}/load {} of {} flits/{} vcs", is_flit ? "flit" : "worm",
                                     speed.topology, speed.load, speed.packet_flits, speed.vcs),
                         is_flit ? "flit-hops" : "message-hops",
                         static_cast<double>(make_topology(speed.topology).processor_count()),
                         [speed, model] { return simulate(speed, model); }});
}

} // namespace

Sample simulate_flits(const SpeedCase& speed)
{
    return simulate(speed, NetworkModel::flit);
}

std::span<const SpeedCase> flit_cases()
{
    return at_flit_level;
}

std::vector<BenchmarkCase> simulation_cases()
{
    std::vector<BenchmarkCase> cases;
    add_cases(cases, at_flit_level, NetworkModel::flit);
    add_cases(cases, at_message_level, NetworkModel::worm);
    return cases;
}

} // namespace nocturne::benchmarks
