#include "models/hardware/stall.hpp"
#include "models/hardware/traffic.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/specification.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace nocturne;

namespace {

/// Sends random messages over deadlock-free routes until all is quiet; requires that every message came once
/// and that nothing was left behind. Messenger sees to what came.
std::vector<test::Arrival> run_random_traffic(const Topology& topology, HardwareConfig config,
                                              std::uint64_t seed)
{
    CAPTURE(topology.name(), seed);
    SplitMix64 random(seed);
    const Routing routing = make_routing(topology, "auto");
    config.vcs = std::max(config.vcs, routing.vc_classes);
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

struct UniformTraffic {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t latency_cycles = 0;
    std::uint64_t flit_hops = 0;
    std::size_t left = 0;

    bool operator==(const UniformTraffic&) const = default;
};

UniformTraffic run_sources(const TrafficSourceConfig& config)
{
    test::Simulation simulation;
    const Topology topology = make_topology("mesh:4x4");
    const Routing routing = make_routing(topology, "dor");
    Network network("network", topology, HardwareConfig{}, one_port);
    std::vector<std::unique_ptr<TrafficSource>> sources;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        sources.push_back(std::make_unique<TrafficSource>(fmt::format("source_{}", id).c_str(), network,
                                                          routing, id, config));
    test::run_to_end();
    UniformTraffic result;
    for (const auto& source : sources) {
        result.sent += source->packets_sent();
        result.received += source->packets_received();
        result.latency_cycles += source->latency_cycles();
    }
    result.flit_hops = network.flit_hops();
    result.left = network.packets().in_flight();
    return result;
}

} // namespace

TEST_CASE("traffic sources offer the load that they are told, and all of it arrives", "[hardware][traffic]")
{
    TrafficSourceConfig config;
    config.load = GENERATE(0.0, 0.01, 0.1, 0.3);
    config.packet_flits = GENERATE(1u, 8u);
    config.stop = 20000;
    const UniformTraffic traffic = run_sources(config);
    CHECK(traffic.received == traffic.sent);
    CHECK(traffic.left == 0);
    // Sixteen binomial sources: five standard deviations.
    const double expected = 16 * 20000 * config.load / config.packet_flits;
    CHECK(static_cast<double>(traffic.sent) == Approx(expected).margin(5 * std::sqrt(expected)));
    // Between two uniform places of 4: 1.25 hops a dimension.
    if (config.load > 0)
        CHECK(static_cast<double>(traffic.flit_hops) /
                  static_cast<double>(traffic.sent * config.packet_flits) ==
              Approx(3.5).epsilon(0.05));
}

TEST_CASE("traffic sources draw the same for the same seed only", "[hardware][traffic]")
{
    const TrafficSourceConfig config{0.2, 4, 1, 2000};
    TrafficSourceConfig other = config;
    other.seed = 2;
    CHECK(run_sources(config) == run_sources(config));
    CHECK_FALSE(run_sources(config) == run_sources(other));
}

TEST_CASE("a load or packet size out of range is refused", "[hardware][traffic]")
{
    TrafficSourceConfig config;
    config.load = GENERATE(-0.1, 1.1, std::nan(""));
    CHECK_THROWS_AS(run_sources(config), std::invalid_argument);
    CHECK_THROWS_AS(run_sources({0.1, 0, 1, 10}), std::invalid_argument);
}
