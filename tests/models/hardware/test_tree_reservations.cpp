// Multicasts whose ways are reserved before they leave.
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/hardware/multicasts.hpp"
#include "tests/models/hardware/simulation.hpp"

namespace nocturne::tree_reservations_test {

using test::SentMessage;

TEST_CASE("trees that are reserved come to their ends whatever buffers have room for",
          "[hardware][multicast]")
{
    const auto seed = GENERATE(range(0u, test::tries(60, 3)));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 6500);
    const Topology topology = test::multicast_topology(random);
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig config = test::random_config(random);
    config.multicast = Multicast::reserved;
    config.vcs = routing.vc_classes * (1 + random.below(2));
    config.buffer_flits = 1 + random.below(6);
    std::vector<SentMessage> messages = test::random_multicasts(topology, routing, 30, random);
    for (SentMessage& message : messages)
        message.message.at = 1 + message.message.at / 10;
    test::Simulation simulation;
    Network network("network", topology, config, random.below(2) == 0 ? one_port : all_port, routing);
    const test::Crier crier(network, routing, messages);
    network.run_to_the_end();
    REQUIRE(crier.all_arrived());
    CHECK(network.credits_under_way() == 0);
    CHECK(network.in_flight() == 0);
}

namespace {

/// In a row of a mesh whose routers take 4 cycles, and links 1.
std::vector<Cycle> arrivals_in_a_row(const std::vector<SentMessage>& messages, Multicast how,
                                     bool keeps_reservations, unsigned vcs = 1)
{
    const Topology mesh = make_topology("mesh:1x8");
    const Routing routing = make_routing(mesh, "dor");
    HardwareConfig config;
    config.multicast = how;
    config.vcs = vcs;
    test::Simulation simulation;
    Network network("network", mesh, config, one_port, routing);
    test::Crier crier(network, routing, messages);
    crier.keeps_reservations = keeps_reservations;
    network.run_to_the_end();
    return crier.arrivals();
}

} // namespace

TEST_CASE("a reservation takes the way of the head there and back, and is kept if that is asked for",
          "[hardware][multicast]")
{
    const Topology mesh = make_topology("mesh:1x8");
    const Routing routing = make_routing(mesh, "dor");
    const Cycle back_and_forth = 2 * 5 * 3; // of three hops
    std::vector<SentMessage> messages;
    test::add_multicast(messages, routing, {0, 0, 20, 1, 0}, {1, 3});
    const std::vector<Cycle> tree = arrivals_in_a_row(messages, Multicast::tree, false);
    std::vector<Cycle> reserved = arrivals_in_a_row(messages, Multicast::reserved, false);
    CHECK(reserved[0] == tree[0] + back_and_forth);
    CHECK(reserved[1] == tree[1] + back_and_forth);
    SECTION("one behind the other")
    {
        test::add_multicast(messages, routing, {0, 0, 20, 1, 0}, {1, 3});
        reserved = arrivals_in_a_row(messages, Multicast::reserved, false);
        CHECK(reserved[3] == reserved[1] + 20 + back_and_forth);
    }
    SECTION("kept")
    {
        test::add_multicast(messages, routing, {0, 0, 20, 1, 0}, {1, 3});
        reserved = arrivals_in_a_row(messages, Multicast::reserved, true);
        CHECK(reserved[3] == arrivals_in_a_row(messages, Multicast::tree, true)[3] + back_and_forth);
    }
    SECTION("kept for other destinations, it is given back")
    {
        test::add_multicast(messages, routing, {0, 0, 20, 1, 0}, {1, 2, 3});
        reserved = arrivals_in_a_row(messages, Multicast::reserved, true);
        CHECK(reserved[4] == reserved[1] + 20 + back_and_forth);
    }
    SECTION("of two sources the second one waits for the channels of the first")
    {
        test::add_multicast(messages, routing, {1, 0, 20, 1, 0}, {2, 3});
        reserved = arrivals_in_a_row(messages, Multicast::reserved, false);
        CHECK(reserved[1] == tree[1] + back_and_forth);
        CHECK(reserved[3] > reserved[1] + 20);
        reserved = arrivals_in_a_row(messages, Multicast::reserved, false, 2); // virtual channels for both
        CHECK(reserved[3] < reserved[1] + 20);
    }
    SECTION("those that share nothing do not wait")
    {
        test::add_multicast(messages, routing, {4, 0, 20, 1, 0}, {5, 7});
        reserved = arrivals_in_a_row(messages, Multicast::reserved, false);
        CHECK(reserved[3] == reserved[1]);
    }
}

} // namespace nocturne::tree_reservations_test
