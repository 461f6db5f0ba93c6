#include "models/hardware/deadlock_watch.hpp"
#include "models/hardware/delivery_check.hpp"
#include "models/hardware/traffic.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace nocturne::traffic_test {

namespace {

/// Sends random messages over deadlock-free routes until all is quiet; requires that every message came once
/// and that nothing was left behind. Messenger sees to what came.
std::vector<test::Arrival> run_random_traffic(const Topology& topology, HardwareConfig config,
                                              std::uint64_t seed)
{
    CAPTURE(topology.name(), seed);
    SplitMix64 random(seed);
    const Routing routing = make_routing(topology, "auto");
    config.vcs = std::max(config.vcs, routing.vc_classes.count());
    test::Simulation simulation;
    Network network("network", topology, config, PortModel{random.below(3)}, routing.vc_classes);
    test::Messenger messenger(network);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const Cycle spread = random.below(2) == 0 ? 1 : 300;
    const std::uint32_t longest = random.below(2) == 0 ? 4 : 60;
    const std::uint32_t messages = 40 + random.below(60);
    std::uint64_t flit_hops = 0;
    for (std::uint32_t i = 0; i < messages; ++i) {
        const test::Message message{random.below(processors), random.below(processors),
                                    1 + random.below(longest),
                                    random.below(static_cast<std::uint32_t>(spread))};
        const Route route = routing.route(message.source, message.destination);
        flit_hops += message.flits * (route.size() + 1);
        messenger.send(message, route);
    }
    test::run_to_end();

    std::vector<std::uint32_t> arrived;
    for (const test::Arrival& arrival : messenger.arrivals())
        arrived.push_back(arrival.message);
    std::sort(arrived.begin(), arrived.end());
    REQUIRE(arrived.size() == messages);
    REQUIRE(std::adjacent_find(arrived.begin(), arrived.end()) == arrived.end());
    REQUIRE(network.packets().in_flight() == 0);
    REQUIRE(network.flit_hops() == flit_hops);
    REQUIRE(find_waiting_cycle(network).empty());
    for (const auto& router : network.routers())
        REQUIRE(router->waits().empty());
    return messenger.arrivals();
}

} // namespace

TEST_CASE("every message arrives once and intact, on every kind of network", "[hardware][traffic]")
{
    std::uint64_t seed = 0;
    for (const std::string& spec : test::small_networks()) {
        SplitMix64 random(++seed);
        const Topology topology = make_topology(spec);
        run_random_traffic(topology, HardwareConfig{}, seed);
        HardwareConfig config = test::random_config(random);
        config.buffer_flits = 1 + random.below(5); // too small for the full rate
        run_random_traffic(test::with_random_channels(topology, random), config, seed);
    }
}

TEST_CASE("every message arrives once and intact, on random networks", "[hardware][traffic]")
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 random(seed);
        const unsigned routers = 2 + random.below(12);
        const unsigned extra = random.below(12);
        const Topology topology = random.below(2) == 0 ? test::random_connected(seed, routers, extra)
                                                       : test::random_directed(seed, routers, extra);
        HardwareConfig config = test::random_config(random);
        config.buffer_flits = random.below(5);
        run_random_traffic(test::with_random_channels(topology, random), config, seed);
    }
}

TEST_CASE("every message arrives once and intact through routers of more than 64 ports",
          "[hardware][traffic]")
{
    HardwareConfig config;
    config.vcs = GENERATE(1u, 32u);
    run_random_traffic(make_topology("star:200"), config, 1);
    run_random_traffic(make_topology("complete:70"), config, 2);
}

TEST_CASE("the same seed gives the same run, another seed another", "[hardware][traffic]")
{
    const Topology topology = make_topology(GENERATE("mesh:4x4", "torus:4x4", "kautz:3,2"));
    HardwareConfig config;
    config.vcs = 2;
    const auto first = run_random_traffic(topology, config, 7);
    CHECK(first == run_random_traffic(topology, config, 7));
    CHECK(first != run_random_traffic(topology, config, 8));
}

namespace {

struct SourceRun {
    std::uint64_t created = 0;
    std::uint64_t created_flits = 0;
    std::uint64_t latency_cycles = 0;
    std::uint64_t flit_hops = 0;
    std::uint64_t rejections = 0;
    std::vector<ProcessorId> destinations; ///< of the packets of processor 0
    std::string error;                     ///< of the deliveries

    bool operator==(const SourceRun&) const = default;
};

class Recorder final : public TrafficObserver {
public:
    Recorder(Network& network, SourceRun& run) : clock_(network.domain()), run_(run), check_(true) {}
    void packet_created(const Packet& packet) override
    {
        check_.packet_created(packet);
        ++run_.created;
        run_.created_flits += packet.flits;
        if (packet.source == 0)
            run_.destinations.push_back(packet.destination);
    }
    void packet_delivered(const Packet& packet, ProcessorId at) override
    {
        check_.packet_delivered(packet, at);
        run_.latency_cycles += clock_.now() - packet.created;
    }
    std::string error() const { return check_.final_error(); }

private:
    const ClockDomain& clock_;
    SourceRun& run_;
    DeliveryCheck check_;
};

/// Sources on a mesh of 16 for so many cycles, and then until the network is empty.
SourceRun run_sources(const Traffic& traffic, Cycle cycles = 20000)
{
    test::Simulation simulation;
    const Topology topology = make_topology("mesh:4x4");
    const Routing routing = make_routing(topology, "dor");
    Network network("network", topology, HardwareConfig{}, one_port);
    SourceRun run;
    Recorder recorder(network, run);
    std::vector<std::unique_ptr<TrafficSource>> sources;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        sources.push_back(std::make_unique<TrafficSource>(fmt::format("source_{}", id).c_str(), network,
                                                          routing, id, traffic, recorder));
    test::run_before(network.domain(), cycles);
    for (const auto& source : sources) {
        source->stop();
        run.rejections += source->rejections();
    }
    test::run_to_end();
    CHECK(network.packets().in_flight() == 0);
    run.flit_hops = network.flit_hops();
    run.error = recorder.error();
    return run;
}

Traffic uniform_traffic(double load, std::uint32_t flits)
{
    return {TrafficPattern::uniform(16), load, MessageSizes(std::vector<MessageSizes::Size>{{flits}}),
            BernoulliArrivals{}, 1};
}

} // namespace

TEST_CASE("traffic sources offer the load that they are told, and all of it arrives", "[hardware][traffic]")
{
    const double load = GENERATE(0.0, 0.01, 0.1, 0.3);
    const std::uint32_t flits = GENERATE(1u, 8u);
    const SourceRun run = run_sources(uniform_traffic(load, flits));
    CHECK(run.error.empty());
    CHECK(run.rejections == 0);
    // Sixteen binomial sources: five standard deviations.
    const double expected = 16 * 20000 * load / flits;
    CHECK(static_cast<double>(run.created) == Approx(expected).margin(5 * std::sqrt(expected)));
    // Between two uniform places of 4: 1.25 hops a dimension.
    if (load > 0)
        CHECK(static_cast<double>(run.flit_hops) / static_cast<double>(run.created_flits) ==
              Approx(3.5).epsilon(0.05));
}

TEST_CASE("traffic sources send where the pattern says, and as much", "[hardware][traffic]")
{
    Traffic traffic = uniform_traffic(0.1, 4);
    SECTION("a permutation")
    {
        traffic.pattern = make_pattern(make_topology("mesh:4x4"), "complement");
        const SourceRun run = run_sources(traffic);
        CHECK(run.error.empty());
        REQUIRE(run.destinations.size() > 100);
        CHECK(std::all_of(run.destinations.begin(), run.destinations.end(),
                          [](ProcessorId id) { return id == 15; }));
    }
    SECTION("a matrix in which one sends everything")
    {
        std::vector<double> weights(256);
        weights[0 * 16 + 3] = 1;
        weights[0 * 16 + 5] = 3;
        traffic.pattern = TrafficPattern::matrix(16, weights);
        traffic.load = 0.05; // 0.8 of one processor
        const SourceRun run = run_sources(traffic);
        CHECK(run.error.empty());
        REQUIRE(run.destinations.size() == run.created);
        CHECK(static_cast<double>(run.created_flits) == Approx(0.8 * 20000).epsilon(0.05));
        const auto often = std::count(run.destinations.begin(), run.destinations.end(), ProcessorId{5});
        CHECK(static_cast<double>(often) == Approx(0.75 * static_cast<double>(run.created)).epsilon(0.05));
    }
    SECTION("packets of two sizes")
    {
        traffic.sizes = make_message_sizes("2:0.75,14:0.25");
        const SourceRun run = run_sources(traffic);
        CHECK(run.error.empty());
        CHECK(static_cast<double>(run.created_flits) / static_cast<double>(run.created) ==
              Approx(5).epsilon(0.05));
    }
}

TEST_CASE("a source whose queue is full makes no packets", "[hardware][traffic]")
{
    Traffic traffic = uniform_traffic(1, 8);
    traffic.queue_packets = 3;
    const SourceRun run = run_sources(traffic);
    CHECK(run.error.empty());
    CHECK(run.rejections > 0);
    CHECK(run.created + run.rejections > 16 * 20000 / 8 * 9 / 10);
}

TEST_CASE("traffic sources draw the same for the same seed only", "[hardware][traffic]")
{
    const Traffic traffic = uniform_traffic(0.2, 4);
    Traffic other = traffic;
    other.seed = 2;
    CHECK(run_sources(traffic, 2000) == run_sources(traffic, 2000));
    CHECK_FALSE(run_sources(traffic, 2000) == run_sources(other, 2000));
}

TEST_CASE("a load that a processor cannot inject is refused", "[hardware][traffic]")
{
    const Topology topology = make_topology("mesh:4x4");
    for (const double load : {-0.1, 1.1, std::nan("")})
        CHECK_THROWS_WITH(check_load(uniform_traffic(load, 8), topology, one_port),
                          Catch::Contains(fmt::format("load {}", load)));
    CHECK_NOTHROW(check_load(uniform_traffic(1, 8), topology, one_port));
    CHECK_NOTHROW(check_load(uniform_traffic(2, 8), topology, all_port)); // corners have two links
    CHECK_THROWS_AS(check_load(uniform_traffic(2.1, 8), topology, all_port), std::invalid_argument);
    Traffic traffic = uniform_traffic(0.1, 8);
    std::vector<double> weights(256);
    weights[7 * 16 + 3] = 1;
    traffic.pattern = TrafficPattern::matrix(16, weights);
    CHECK_THROWS_WITH(check_load(traffic, topology, one_port),
                      Catch::Contains("processor 13")); // row 1, column 3
    traffic = uniform_traffic(0.5, 8);
    traffic.arrivals = BurstyArrivals{100, 0.4};
    CHECK_THROWS_AS(check_load(traffic, topology, one_port), std::invalid_argument);
    traffic = uniform_traffic(0.5, 8);
    traffic.queue_packets = 0;
    CHECK_THROWS_WITH(check_load(traffic, topology, one_port), Catch::Contains("queues of 0"));
}

} // namespace nocturne::traffic_test
