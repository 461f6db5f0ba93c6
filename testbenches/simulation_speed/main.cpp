// How fast the flit-level model simulates: uniform traffic on any network, in flit-hops per second of
// processor time.
#include "models/hardware/network.hpp"
#include "models/hardware/traffic.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
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
    double load = 0;
    unsigned packet_flits = 0;
    std::uint64_t seed = 0;
    Cycle cycles = 0; ///< in which packets are made
    HardwareConfig hardware;
};

/// Packets that have arrived, and how long they took.
struct Received final : TrafficObserver {
    explicit Received(const ClockDomain& domain) : clock(domain) {}
    void packet_created(const Packet&) override {}
    void packet_delivered(const Packet& packet, ProcessorId) override
    {
        ++packets;
        latency_cycles += clock.now() - packet.created;
    }
    const ClockDomain& clock;
    std::uint64_t packets = 0;
    std::uint64_t latency_cycles = 0;
};

void run(const Options& options)
{
    const Topology topology = make_topology(options.topology);
    const Routing routing = make_routing(topology, options.routing);
    const Traffic traffic{TrafficPattern::uniform(static_cast<std::uint32_t>(topology.processor_count())),
                          options.load, MessageSizes(std::vector<MessageSizes::Size>{{options.packet_flits}}),
                          BernoulliArrivals{}, options.seed};
    check_load(traffic, topology, one_port);
    Network network("network", topology, options.hardware, one_port, routing);
    Received received(network.domain());
    std::vector<std::unique_ptr<TrafficSource>> sources;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        sources.push_back(std::make_unique<TrafficSource>(fmt::format("source_{}", id).c_str(), network,
                                                          routing, id, traffic, received));
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaboration is not what is measured
    const std::clock_t begin = std::clock();
    sc_core::sc_start(static_cast<double>(options.cycles) * network.domain().period());
    for (const auto& source : sources)
        source->stop();
    sc_core::sc_start();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;

    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print(
        "{}: {} at load {}, {} cycles: {} packets, mean latency {:.2f} cycles, {} left in the network\n",
        options.topology, routing.name, options.load, network.domain().now(), received.packets,
        static_cast<double>(received.latency_cycles) / static_cast<double>(received.packets),
        network.packets().in_flight());
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
        "load", po::value(&options.load)->default_value(0.05), "offered flits per processor and cycle")(
        "packet-flits", po::value(&options.packet_flits)->default_value(8), "flits of a packet")(
        "cycles", po::value(&options.cycles)->default_value(20000), "cycles in which packets are made")(
        "vcs", po::value(&options.hardware.vcs)->default_value(1),
        "virtual channels")("buffer-flits", po::value(&options.hardware.buffer_flits)->default_value(8),
                            "buffer depth")("seed", po::value(&options.seed)->default_value(1), "seed");
    return nocturne::testbench::run(argc, argv, "simulation_speed", description, [&] {
        run(options);
        return 0;
    });
}
