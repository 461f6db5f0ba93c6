#include "models/hardware/deadlock_watch.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/models/topology/all_networks.hpp"

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

} // namespace nocturne::traffic_test
