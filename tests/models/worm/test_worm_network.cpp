// Messages that meet: none is lost, none overtakes in a buffer, nothing is left behind.
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/worm/worm_messenger.hpp"

#include <map>

namespace nocturne::worm_network_test {

namespace {

using test::WormMessenger;

/// Random messages, all under way at the same time.
std::vector<WormMessenger::Message> crowd(const Topology& topology, SplitMix64& random, unsigned messages)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<WormMessenger::Message> result;
    for (unsigned i = 0; i < messages; ++i)
        result.push_back(
            {random.below(processors), random.below(processors), 1 + random.below(40), random.below(500)});
    return result;
}

HardwareConfig config_for(const Routing& routing, SplitMix64& random)
{
    HardwareConfig config = test::random_config(random);
    config.vcs = routing.vc_classes * (1 + random.below(2));
    config.buffer_flits = 1 + random.below(40);
    return config;
}

} // namespace

TEST_CASE("every message arrives once, whatever the network and the crowd, and nothing is left", "[worm]")
{
    std::uint64_t seed = 0;
    for (const std::string& spec : test::small_networks()) {
        SplitMix64 random(++seed);
        const Topology topology = make_topology(spec);
        const Routing routing = make_routing(topology, "auto");
        if (routing.adaptive())
            continue;
        const PortModel ports{random.below(3)};
        const HardwareConfig config = config_for(routing, random);
        CAPTURE(spec, config.vcs, config.buffer_flits);
        WormMessenger messenger(topology, config, ports, routing.vc_classes);
        std::uint64_t hops = 0;
        std::uint64_t flit_hops = 0;
        for (const WormMessenger::Message& message : crowd(topology, random, 400)) {
            const Route route = routing.route(message.source, message.destination);
            hops += route.size() + 1;
            flit_hops += (route.size() + 1) * message.flits;
            messenger.send(message, route);
        }
        messenger.network().run_to_the_end();
        REQUIRE(messenger.arrived() == 400);
        REQUIRE(messenger.network().in_flight() == 0);
        REQUIRE(messenger.network().find_waiting_cycle().empty());
        CHECK(messenger.network().message_hops() == hops);
        CHECK(messenger.network().flit_hops() == flit_hops);
    }
}

TEST_CASE("the same messages arrive at the same times, run at once or in pieces", "[worm]")
{
    const Topology topology = make_topology("torus:4x4");
    const Routing routing = make_routing(topology, "auto");
    SplitMix64 random(7);
    const HardwareConfig config = config_for(routing, random);
    const std::vector<WormMessenger::Message> messages = crowd(topology, random, 300);
    const auto run = [&](std::uint64_t piece) {
        WormMessenger messenger(topology, config, one_port, routing.vc_classes);
        for (const WormMessenger::Message& message : messages)
            messenger.send(message, routing.route(message.source, message.destination));
        for (std::uint64_t end = piece; messenger.arrived() < messages.size(); end += piece)
            messenger.network().run_to(end);
        return messenger.arrivals();
    };
    const auto at_once = run(1'000'000);
    CHECK(run(1) == at_once);
    CHECK(run(97) == at_once);
}

TEST_CASE("messages of a pair keep their order where there is one way and one virtual channel", "[worm]")
{
    SplitMix64 random(GENERATE(range(1, 6)));
    const Topology topology = make_topology("mesh:4x4");
    const Routing routing = make_routing(topology, "dor");
    HardwareConfig config;
    config.buffer_flits = GENERATE(1u, 8u, 30u);
    WormMessenger messenger(topology, config, one_port);
    std::vector<WormMessenger::Message> messages = crowd(topology, random, 400);
    std::stable_sort(messages.begin(), messages.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    for (const WormMessenger::Message& message : messages)
        messenger.send(message, routing.route(message.source, message.destination));
    messenger.network().run_to_the_end();
    std::map<std::pair<ProcessorId, ProcessorId>, std::uint64_t> last;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        std::uint64_t& before = last[{messages[i].source, messages[i].destination}];
        CHECK(messenger.arrivals()[i].arrived > before);
        before = messenger.arrivals()[i].arrived;
    }
}

TEST_CASE("a link carries no more than a flit a cycle", "[worm]")
{
    // Two processors send to a third, which is behind one link.
    const Topology topology = make_topology("mesh:1x3");
    const Routing routing = make_routing(topology, "dor");
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u, 4u);
    WormMessenger messenger(topology, config, one_port);
    for (int i = 0; i < 20; ++i)
        for (const ProcessorId source : {0u, 1u})
            messenger.send({source, 2, 64, 1}, routing.route(source, 2));
    messenger.network().run_to_the_end();
    std::uint64_t last = 0;
    for (const test::WormArrival& arrival : messenger.arrivals())
        last = std::max(last, arrival.arrived);
    CHECK(last >= 40 * 64);
    CHECK(last <= 40 * 64 * 3 / 2);
}

TEST_CASE("a blocked message lets go of the links that its flits no longer need", "[worm]")
{
    // 0 and 1 send to 3 at the same time; what 0 sends to 2 later needs only the first of its links.
    const Topology topology = make_topology("mesh:1x5");
    const Routing routing = make_routing(topology, "dor");
    HardwareConfig config;
    config.buffer_flits = GENERATE(8u, 64u);
    WormMessenger messenger(topology, config, one_port);
    messenger.send({2, 4, 400, 1}, routing.route(2, 4)); // holds 2->3
    messenger.send({0, 4, 30, 30}, routing.route(0, 4)); // waits for it
    messenger.send({0, 1, 10, 40}, routing.route(0, 1)); // behind that one at the source
    messenger.network().run_to_the_end();
    const auto& arrivals = messenger.arrivals();
    // 30 flits fit into one buffer of 64, but not into the three of 8 before router 2.
    if (config.buffer_flits == 64)
        CHECK(arrivals[2].arrived < 150);
    else
        CHECK(arrivals[2].arrived > 400);
    CHECK(arrivals[1].arrived > 400);
}

TEST_CASE("a circular wait is found, with everybody in it", "[worm]")
{
    const Topology ring = make_topology("ring:4");
    const Routing routing = make_routing(ring, "shortest");
    WormMessenger messenger(ring, HardwareConfig{}, one_port);
    // Two hops each in the same direction: every first link is held, and every second one wanted.
    for (ProcessorId source = 0; source < 4; ++source) {
        Route route;
        RouterId at = source;
        for (int hop = 0; hop < 2; ++hop)
            for (const ChannelId channel : ring.channels_from(at))
                if (ring.channel(channel).target == (at + 1) % 4) {
                    route.push_back({channel, 0});
                    at = (at + 1) % 4;
                    break;
                }
        messenger.send({source, (source + 2) % 4, 100, 1}, route);
    }
    messenger.network().run_to_the_end();
    CHECK(messenger.arrived() == 0);
    CHECK(messenger.network().in_flight() == 4);
    const std::vector<MessageWait> cycle = messenger.network().find_waiting_cycle();
    REQUIRE(cycle.size() == 4);
    for (std::size_t i = 0; i < cycle.size(); ++i)
        CHECK(cycle[i].wanted_link == cycle[(i + 1) % 4].link);
}

TEST_CASE("a network refuses what the flit level refuses", "[worm]")
{
    const Topology topology = make_topology("mesh:2x2");
    HardwareConfig config;
    CHECK_THROWS_WITH(WormMessenger(topology, config, one_port, 2),
                      "mesh:2x2: the routing needs 2 virtual channels, the hardware has 1");
    config.link_cycles = 0;
    CHECK_THROWS_AS(WormMessenger(topology, config, one_port), std::invalid_argument);
}

} // namespace nocturne::worm_network_test
