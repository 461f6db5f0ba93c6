// How fast the flit-level model simulates: uniform traffic on any network, in flit-hops per second of
// processor time.
#include "models/hardware/network.hpp"
#include "models/hardware/traffic.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/specification.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <sys/resource.h>

namespace {

using namespace nocturne;

struct Options {
    std::string topology;
    std::string routing;
    TrafficSourceConfig traffic;
    HardwareConfig hardware;
};

void run(const Options& options)
{
    const Topology topology = make_topology(options.topology);
    const Routing routing = make_routing(topology, options.routing);
    Network network("network", topology, options.hardware, one_port, routing.vc_classes);
    std::vector<std::unique_ptr<TrafficSource>> sources;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        sources.push_back(std::make_unique<TrafficSource>(fmt::format("source_{}", id).c_str(), network,
                                                          routing, id, options.traffic));
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaboration is not what is measured
    const std::clock_t begin = std::clock();
    sc_core::sc_start();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;

    std::uint64_t received = 0;
    std::uint64_t latency = 0;
    for (const auto& source : sources) {
        received += source->packets_received();
        latency += source->latency_cycles();
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print(
        "{}: {} at load {}, {} cycles: {} packets, mean latency {:.2f} cycles, {} left in the network\n",
        options.topology, routing.name, options.traffic.load, network.domain().now(), received,
        static_cast<double>(latency) / static_cast<double>(received), network.packets().in_flight());
    fmt::print("{} flit-hops in {:.3f} s: {:.1f} million flit-hops a second, {:.0f} MiB\n",
               network.flit_hops(), seconds, static_cast<double>(network.flit_hops()) / seconds / 1e6,
               static_cast<double>(usage.ru_maxrss) / 1024);
}

} // namespace

int sc_main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Options options;
    po::options_description description;
    description.add_options()("topology", po::value(&options.topology)->default_value("mesh:32x32"),
                              "specification")("routing", po::value(&options.routing)->default_value("auto"),
                                               "routing function")(
        "load", po::value(&options.traffic.load)->default_value(0.05),
        "offered flits per processor and cycle")(
        "packet-flits", po::value(&options.traffic.packet_flits)->default_value(8), "flits of a packet")(
        "cycles", po::value(&options.traffic.stop)->default_value(20000), "cycles in which packets are made")(
        "vcs", po::value(&options.hardware.vcs)->default_value(1), "virtual channels")(
        "buffer-flits", po::value(&options.hardware.buffer_flits)->default_value(8),
        "buffer depth")("seed", po::value(&options.traffic.seed)->default_value(1), "seed");
    return nocturne::testbench::run("simulation_speed", [&] {
        if (nocturne::testbench::parse(argc, argv, "simulation_speed", description))
            run(options);
        return 0;
    });
}
