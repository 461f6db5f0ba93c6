// Packets that routers copy.
#include "models/hardware/network.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/hardware/multicasts.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>

namespace nocturne::multicast_test {

namespace {

using test::SentMessage;

Allocation random_allocation(SplitMix64& random, unsigned vcs)
{
    using enum AllocatorKind;
    const AllocatorKind of_switch[] = {islip, input_first, output_first, wavefront};
    const AllocatorKind of_vcs[] = {islip, islip, wavefront, rotating};
    Allocation result{of_switch[random.below(4)], of_vcs[random.below(4)],
                      static_cast<ArbiterKind>(random.below(4)), 1, 1 + random.below(std::min(vcs, 2u))};
    if (result.vc_allocator == rotating)
        result.arbiter = ArbiterKind::round_robin;
    return result;
}

} // namespace

TEST_CASE("a multicast comes to each destination when the plainest model of the network says",
          "[hardware][multicast]")
{
    const auto seed = GENERATE(range(0u, test::tries(160, 3)));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 5000);
    Topology topology = test::multicast_topology(random);
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig config = test::random_config(random);
    config.multicast = Multicast::tree;
    config.vcs = routing.vc_classes * (1 + random.below(3));
    config.buffer_flits = 9; // of the largest packets, so that trees cannot deadlock
    if (seed % 3 == 0)
        topology = test::with_random_parts(topology, random,
                                           {.pipelines = seed % 2 == 0, .arbiters = true, .rates = true});
    if (seed % 3 == 1)
        config.allocation = random_allocation(random, config.vcs);
    const PortModel ports = random.below(2) == 0 ? one_port : all_port;
    const std::vector<SentMessage> messages = test::random_multicasts(topology, routing, 9, random);
    CAPTURE(topology.name(), config.vcs);
    test::Simulation simulation;
    Network network("network", topology, config, ports, routing);
    const test::Crier crier(network, routing, messages);
    network.run_to_the_end();
    REQUIRE_FALSE(network.deadlock());
    REQUIRE(crier.all_arrived());
    CHECK(network.in_flight() == 0);
    CHECK(network.credits_under_way() == 0);
    std::size_t sent = 0;
    for (std::size_t id = 0; id < messages.size(); id += messages[id].together)
        ++sent;
    CHECK(crier.sent.size() == sent);
    CHECK(crier.arrivals() == test::reference_run(topology, config, ports, routing, messages).arrivals);
}

TEST_CASE("where no packet parts, routers that could copy it change nothing", "[hardware][multicast]")
{
    const auto seed = GENERATE(range(0u, test::tries(40, 2)));
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 5500);
    const Topology topology = test::multicast_topology(random);
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig config = test::random_config(random);
    config.vcs = routing.vc_classes * (1 + random.below(3));
    config.buffer_flits = 1 + random.below(9);
    std::vector<SentMessage> messages = test::random_multicasts(topology, routing, 20, random);
    for (SentMessage& message : messages)
        message.together = 1;
    const auto arrivals = [&](bool copies) {
        config.multicast = copies ? Multicast::tree : Multicast::unicasts;
        test::Simulation simulation;
        Network network("network", topology, config, one_port, routing);
        const test::Crier crier(network, routing, messages);
        network.run_to_the_end();
        return crier.arrivals();
    };
    CHECK(arrivals(true) == arrivals(false));
}

namespace {

struct CountedTree {
    const char* network;
    const char* routing;
    const char* source;
    std::vector<const char*> destinations; ///< none: all processors
    std::uint64_t channels;                ///< of the tree, counted by hand
};

} // namespace

TEST_CASE("a tree takes each of its channels once, and no destination waits for another",
          "[hardware][multicast]")
{
    const CountedTree tree = GENERATE(values<CountedTree>({
        {"mesh:4x4", "dor", "00", {"03", "30", "33"}, 9},
        {"mesh:4x4", "dor", "00", {}, 15},
        {"mesh:3x3", "dor", "11", {"00", "02", "20", "22"}, 6},
        {"mesh:3x3", "dor", "11", {"11", "12"}, 1},
        {"mesh:3x3", "dor", "01", {"21"}, 2},
        {"mesh:5x5", "xy", "00", {"04", "44"}, 8},
        {"mesh:5x5", "yx", "00", {"04", "44"}, 12},
        {"mesh:2x6", "dor", "00", {"05", "03", "13"}, 6},
        {"torus:4x4", "auto", "00", {"01", "03", "10", "30"}, 4},
        {"torus:5x5", "auto", "00", {"02", "20"}, 4},
        {"torus:3x3", "auto", "00", {}, 8},
        {"ring:8", "auto", "0", {"1", "2", "3"}, 3},
        {"ring:8", "auto", "0", {"2", "6"}, 4},
        {"ring:8", "auto", "0", {}, 7},
        {"hypercube:3", "auto", "0", {}, 7},
        {"hypercube:4", "auto", "0", {"3", "5", "6"}, 5},
        {"complete:5", "auto", "0", {"1", "2", "4"}, 3},
        {"omega:8", "tag", "0", {}, 6},
        {"omega:8", "tag", "0", {"0", "1"}, 2},
        {"omega:8", "tag", "0", {"0", "4"}, 4},
        {"star:6", "auto", "0", {"1", "2", "3"}, 4},
    }));
    CAPTURE(tree.network, tree.source);
    const Topology topology = make_topology(tree.network);
    const Routing routing = make_routing(topology, tree.routing);
    std::vector<ProcessorId> destinations;
    for (const char* const name : tree.destinations)
        destinations.push_back(topology.find_processor(name).value());
    if (destinations.empty()) {
        destinations.resize(topology.processor_count());
        std::iota(destinations.begin(), destinations.end(), 0u);
    }
    HardwareConfig config;
    config.vcs = routing.vc_classes;
    const ProcessorId source = topology.find_processor(tree.source).value();
    const auto run = [&](bool copies, const std::vector<ProcessorId>& to, std::uint64_t& crossed) {
        std::vector<SentMessage> messages;
        test::add_multicast(messages, routing, {source, 0, 30, 1, 0}, to);
        config.multicast = copies ? Multicast::tree : Multicast::unicasts;
        test::Simulation simulation;
        Network network("network", topology, config, one_port, routing);
        const test::Crier crier(network, routing, messages);
        network.run_to_the_end();
        crossed = 0;
        for (ChannelId channel = 0; channel < topology.channel_count(); ++channel)
            crossed += network.flits(channel);
        return crier.arrivals();
    };
    std::uint64_t crossed = 0, alone = 0;
    const std::vector<Cycle> arrivals = run(true, destinations, crossed);
    CHECK(crossed == 30 * tree.channels);
    for (std::size_t i = 0; i < destinations.size(); ++i)
        CHECK(arrivals[i] == run(false, {destinations[i]}, alone).front());
}

namespace {

/// Down the columns of a mesh of three rows and two columns: each gets one of two channels that both need.
std::vector<SentMessage> trees_that_meet(const Topology& mesh, const Routing& routing, std::uint32_t flits)
{
    const auto at = [&](const char* name) { return mesh.find_processor(name).value(); };
    std::vector<SentMessage> messages;
    test::add_multicast(messages, routing, {at("00"), 0, flits, 1, 0}, {at("20"), at("21")});
    test::add_multicast(messages, routing, {at("11"), 0, flits, 4, 0}, {at("20"), at("21")});
    return messages;
}

} // namespace

TEST_CASE("trees that meet deadlock unless buffers have room for what they hold", "[hardware][multicast]")
{
    const Topology mesh = make_topology("mesh:3x2");
    const Routing routing = make_routing(mesh, "xy");
    HardwareConfig config;
    config.multicast = Multicast::tree;
    config.buffer_flits = GENERATE(4u, 13u, 14u, 40u);
    const std::vector<SentMessage> messages = trees_that_meet(mesh, routing, 40);
    test::Simulation simulation;
    Network network("network", mesh, config, one_port, routing);
    const test::Crier crier(network, routing, messages);
    network.run_to_the_end();
    CHECK(crier.all_arrived() == (config.buffer_flits > 13)); // the first tree fills three before it waits
    const std::vector<MessageWait> waits = network.find_waiting_cycle();
    CHECK(waits.empty() == crier.all_arrived());
    std::set<ProcessorId> sources;
    for (const MessageWait& wait : waits)
        sources.insert(wait.message.source);
    CHECK(sources.size() == (crier.all_arrived() ? 0 : 2));
}

TEST_CASE("every deadlock of trees is seen, also while others go on", "[hardware][multicast]")
{
    const auto seed = GENERATE(range(0u, test::tries(60, 3)));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 6000);
    const Topology topology = test::multicast_topology(random);
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig config = test::random_config(random);
    config.multicast = Multicast::tree;
    config.vcs = routing.vc_classes;
    config.buffer_flits = 1 + random.below(6);
    const std::vector<SentMessage> messages = test::random_multicasts(topology, routing, 30, random);
    test::Simulation simulation;
    Network network("network", topology, config, one_port, routing);
    const test::Crier crier(network, routing, messages);
    network.run_to_the_end();
    CHECK(network.find_waiting_cycle().empty() == crier.all_arrived());
    if (network.deadlock())
        CHECK_FALSE(crier.all_arrived());
}

TEST_CASE("what does not go together with routers that copy packets is refused", "[hardware][multicast]")
{
    test::Simulation simulation;
    const Topology mesh = make_topology("mesh:3x3");
    HardwareConfig config;
    config.multicast = Multicast::tree;
    config.vcs = 4;
    CHECK_THROWS_WITH(Network("adaptive", mesh, config, one_port, make_routing(mesh, "adaptive")),
                      Catch::Contains("leaves ways to routers"));
    Topology clocks = mesh;
    clocks.set_part(0, {.clock = {1, 2}});
    CHECK_THROWS_WITH(Network("clocks", clocks, config, one_port, make_routing(mesh, "dor")),
                      Catch::Contains("clocks of their own"));
    Network network("network", mesh, config, one_port, make_routing(mesh, "dor"));
    CHECK_THROWS_WITH(network.plan_faults({.channels = {0}, .routers = {}}, {100, 200}),
                      Catch::Contains("routers copy multicasts"));
}

} // namespace nocturne::multicast_test
