#include "testbenches/worm_model/speed.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/traffic/traffic_machine.hpp"

#include <fmt/format.h>

#include <ctime>
#include <sys/resource.h>

namespace nocturne::worm_model {

namespace {

double peak_mib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

double seconds_since(std::clock_t begin)
{
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

} // namespace

void measure_speed(const SpeedOptions& options)
{
    const std::clock_t start = std::clock();
    const Topology topology = make_topology(options.topology);
    const Routing routing = make_routing(topology, options.routing);
    const Traffic traffic{make_pattern(topology, options.pattern, options.seed), options.load,
                          MessageSizes(std::vector<MessageSizes::Size>{{options.packet_flits}}),
                          BernoulliArrivals{}, options.seed};
    MeasuredNetwork network;
    network.hardware.vcs = routing.vc_classes;
    network.model = NetworkModel::worm;
    const TrafficSetup setup{topology, routing, network, traffic};
    TrafficMachine machine(setup, {1, options.cycles, 1}, options.cycles);
    fmt::print("{}, {}: {} processors, {:.2f} s and {:.0f} MiB before the first cycle\n", options.topology,
               routing.name, topology.processor_count(), seconds_since(start), peak_mib());
    const std::clock_t begin = std::clock();
    machine.network->run_to(options.cycles);
    machine.sources.stop();
    machine.network->drain();
    const double seconds = seconds_since(begin);
    const double hops = static_cast<double>(machine.network->flit_hops()) / options.packet_flits;
    const LatencyCounts& latencies = machine.record.counts().latencies();
    fmt::print("{} {}-flit messages at load {}, median latency {} cycles{}\n",
               machine.record.check().created(), options.packet_flits, options.load,
               latencies.total() == 0 ? 0 : latencies.quantile(0.5),
               checked_stall(*machine.network, machine.record.check()) ? ", STUCK" : "");
    fmt::print("{:.0f} message-hops in {:.3f} s: {:.1f} million a second ({:.0f} million flit-hops), {:.0f} "
               "MiB, {:.0f} bytes a processor\n",
               hops, seconds, hops / seconds / 1e6, hops * options.packet_flits / seconds / 1e6, peak_mib(),
               peak_mib() * 1048576 / static_cast<double>(topology.processor_count()));
}

} // namespace nocturne::worm_model
