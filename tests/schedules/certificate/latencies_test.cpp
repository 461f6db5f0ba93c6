#include "schedules/certificate/latencies.hpp"
#include "tests/catch.hpp"

namespace nocturne::latencies_test {

namespace {

/// Two boxes of two processors, each at a switch 2 cycles away; over links of 30 cycles each is joined to the
/// switch of its rail.
LinkNetwork boxes(NodeKind rail)
{
    LinkNetwork network{"boxes", 4};
    for (const NodeId first : {0U, 2U}) {
        const NodeId box = network.add_switch(NodeKind::plain_switch, "box");
        network.add_links(first, box, 100, 2);
        network.add_links(first + 1, box, 100, 2);
    }
    for (const NodeId first : {0U, 1U}) {
        const NodeId joined = network.add_switch(rail, "rail");
        network.add_links(first, joined, 10, 30);
        network.add_links(first + 2, joined, 10, 30);
    }
    return network;
}

} // namespace

TEST_CASE("a transfer over a link takes the latencies of the links about it, too", "[latencies]")
{
    const auto [kind, on_rail] = GENERATE(
        table<NodeKind, std::uint64_t>({{NodeKind::plain_switch, 60}, {NodeKind::copying_switch, 30}}));
    const LinkNetwork network = boxes(kind);
    const NetworkLatencies latencies = latencies_of(network);
    for (LinkId link = 0; link < network.link_count(); ++link)
        CHECK(latencies.of_transfers[link] == (network.link(link).latency_cycles == 2 ? 4 : on_rail));
}

TEST_CASE("processors are near each other by the latencies of links", "[latencies]")
{
    const NetworkLatencies latencies = latencies_of(boxes(NodeKind::plain_switch));
    REQUIRE(latencies.near.size() == 2);
    const auto& [alone, least] = latencies.near[0];
    CHECK(alone == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(least == 4);
    const auto& [joined, between] = latencies.near[1];
    CHECK(joined[0] == joined[1]);
    CHECK(joined[2] == joined[3]);
    CHECK(joined[0] != joined[2]);
    CHECK(between == 60);
}

TEST_CASE("where no link leads, none has more than its latency", "[latencies]")
{
    LinkNetwork network{"one way", 2};
    const NodeId nowhere = network.add_switch(NodeKind::plain_switch, "nowhere");
    network.add_link({0, nowhere, 1, 7});
    const NetworkLatencies latencies = latencies_of(network);
    CHECK(latencies.of_transfers == std::vector<std::uint64_t>{7});
    CHECK(latencies.near.front().latency == 0);
}

} // namespace nocturne::latencies_test
