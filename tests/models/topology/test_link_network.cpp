#include "models/topology/link_network.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"

using namespace nocturne;

TEST_CASE("a router with one processor is one node with it, others are switches", "[chunks][network]")
{
    Topology topology{"two and a switch"};
    const RouterId left = topology.add_router("left");
    const RouterId middle = topology.add_router("middle");
    const RouterId shared = topology.add_router("shared");
    topology.add_processor(left);
    topology.add_processor(shared, shared, "a");
    topology.add_processor(shared, shared, "b");
    topology.add_channel({.source = left, .target = middle, .latency_cycles = 4, .width_bytes = 25});
    topology.add_channel({.source = middle, .target = shared, .latency_cycles = 2, .width_bytes = 50});
    topology.set_copying(middle);

    const LinkNetwork network = link_network_of(topology, {.bytes_per_cycle = 100});
    REQUIRE(network.node_count() == 5);
    CHECK(network.processor_count() == 3);
    CHECK(network.kind(3) == NodeKind::copying_switch);
    CHECK(network.kind(4) == NodeKind::plain_switch);
    REQUIRE(network.link_count() == 6);
    CHECK(network.link(0) == NetworkLink{0, 3, 25, 4, ChannelId{0}});
    CHECK(network.link(1) == NetworkLink{3, 4, 50, 2, ChannelId{1}});
    CHECK(network.link(2) == NetworkLink{1, 4, 100, 0, std::nullopt});
    CHECK(network.unit_bytes_per_cycle() == 25);
    CHECK(network.units(2) == 4);
}

TEST_CASE("widths are open where the default of a link decides", "[chunks][network]")
{
    Topology topology{"two"};
    const RouterId first = topology.add_router(), second = topology.add_router();
    const bool has_width = GENERATE(false, true), shares_router = GENERATE(false, true);
    topology.add_processor(first, first, "a");
    topology.add_processor(shares_router ? first : second, shares_router ? first : second, "b");
    const unsigned width = has_width ? 50 : 0;
    topology.add_channel({.source = first, .target = second, .width_bytes = width});
    topology.add_channel({.source = second, .target = first, .width_bytes = 50});
    CHECK(has_open_widths(topology) == (!has_width || shares_router));
    CHECK(has_open_widths(topology) == (link_network_of(topology, {.bytes_per_cycle = 1}) !=
                                        link_network_of(topology, {.bytes_per_cycle = 2})));
}

TEST_CASE("a network of links as a graph of routers is the same network of links", "[chunks][network]")
{
    const std::string text = GENERATE(from_range(test::small_networks()));
    CAPTURE(text);
    const LinkNetwork network = link_network_of(make_topology(text), {.local_latency_cycles = 1});
    const Topology topology = topology_of(network);
    const LinkNetwork again = link_network_of(topology);
    REQUIRE(again.node_count() == network.node_count());
    REQUIRE(again.link_count() == network.link_count());
    CHECK(again.processor_count() == network.processor_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        CHECK(again.kind(node) == network.kind(node));
        if (node < network.processor_count())
            CHECK(again.node_name(node) == network.node_name(node));
    }
    for (LinkId id = 0; id < network.link_count(); ++id) {
        NetworkLink link = network.link(id);
        link.channel = id; // every link is a channel now
        CHECK(again.link(id) == link);
    }
}
