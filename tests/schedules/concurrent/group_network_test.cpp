#include "models/topology/make_topology.hpp"
#include "schedules/concurrent/group_network.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <algorithm>
#include <set>

namespace nocturne::group_network_test {

namespace {

/// Is each link where its counterpart is, between the nodes that stand for its own?
void require_same(const GroupNetwork& place, const LinkNetwork& whole)
{
    REQUIRE(place.paths.size() == place.network.link_count());
    REQUIRE(place.nodes.size() == place.network.node_count());
    CHECK(std::set(place.paths.begin(), place.paths.end()).size() == place.paths.size());
    for (LinkId id = 0; id < place.network.link_count(); ++id) {
        const NetworkLink& here = place.network.link(id);
        REQUIRE(place.paths[id].size() == 1);
        const NetworkLink& there = whole.link(place.paths[id].front());
        CHECK(place.nodes[here.source] == there.source);
        CHECK(place.nodes[here.target] == there.target);
        CHECK(here.bytes_per_cycle == there.bytes_per_cycle);
        CHECK(here.latency_cycles == there.latency_cycles);
    }
}

} // namespace

TEST_CASE("a group is a network where its members are joined by themselves", "[concurrent]")
{
    const LinkNetwork torus = link_network_of(make_topology("torus:4x4"));
    const auto row = group_network(torus, {4, 5, 6, 7});
    REQUIRE(row);
    CHECK(row->network.link_count() == 8);
    require_same(*row, torus);
    CHECK_FALSE(group_network(torus, {0, 5, 10}));

    const LinkNetwork rails = test::rails(4, 8);
    const auto box = group_network(rails, {8, 9, 10, 11, 12, 13, 14, 15});
    REQUIRE(box);
    CHECK(box->network.node_count() == 9); // no rail switch, which only one of them is joined to
    require_same(*box, rails);
}

TEST_CASE("groups that look alike are places of one network", "[concurrent]")
{
    SECTION("rows and columns of a torus, in the order of their ranks")
    {
        const LinkNetwork torus = link_network_of(make_topology("torus:5x5"));
        const auto row = group_network(torus, {0, 1, 2, 3, 4});
        const auto column = group_network(torus, {2, 7, 12, 17, 22});
        const auto mixed = group_network(torus, {1, 0, 2, 3, 4});
        REQUIRE((row && column && mixed));
        const auto placed = placed_like(*row, *column);
        REQUIRE(placed);
        require_same(*placed, torus);
        CHECK_FALSE(placed_like(*row, *mixed));
    }
    SECTION("planes of switches and parallel links, in whatever order")
    {
        LinkNetwork network("two boxes", 4);
        for (const NodeId plane : {0U, 1U, 2U}) {
            const NodeId first = network.add_switch(NodeKind::plain_switch, "a");
            const NodeId second = network.add_switch(NodeKind::plain_switch, "b");
            for (const NodeId k : {0U, 1U}) {
                network.add_links(k, first, plane == 0 ? 8 : 4, 3);
                network.add_links(2 + k, second, plane == 2 ? 8 : 4, 3);
            }
        }
        const auto one = group_network(network, {0, 1}), other = group_network(network, {2, 3});
        REQUIRE((one && other));
        const auto placed = placed_like(*one, *other);
        REQUIRE(placed);
        require_same(*placed, network);
        LinkNetwork wider = network;
        wider.add_link({2, 3, 4, 3});
        CHECK_FALSE(placed_like(*one, *group_network(wider, {2, 3})));
    }
}

TEST_CASE("members that are no neighbours are joined by shortest paths over others", "[concurrent]")
{
    const LinkNetwork torus = link_network_of(make_topology("torus:4x4"));
    SECTION("every other one of a row, round both ways, beside the others")
    {
        const auto networks = relay_networks(torus, {{0, 2}, {1, 3}});
        REQUIRE(networks.size() == 2);
        for (const GroupNetwork& each : networks) {
            REQUIRE(each.network.link_count() == 4);
            for (LinkId link = 0; link < 4; ++link) {
                CHECK(each.network.link(link).bytes_per_cycle == 4 * share_parts / 2);
                REQUIRE(each.paths[link].size() == 2);
                CHECK(torus.link(each.paths[link][0]).target == torus.link(each.paths[link][1]).source);
                CHECK(torus.link(each.paths[link][0]).source == each.nodes[each.network.link(link).source]);
                CHECK(torus.link(each.paths[link][1]).target == each.nodes[each.network.link(link).target]);
            }
        }
        CHECK(placed_like(networks[0], networks[1]));
    }
    SECTION("every other one of both dimensions: not across, where a third one is on the way")
    {
        const auto networks = relay_networks(torus, {{0, 2, 8, 10}});
        REQUIRE(networks.size() == 1);
        CHECK(networks[0].network.link_count() == 16);
        for (const NetworkLink& link : networks[0].network.links())
            CHECK(link.bytes_per_cycle == 4 * share_parts);
    }
    SECTION("over switches")
    {
        const auto networks = relay_networks(test::rails(2, 2), {{0, 3}});
        REQUIRE(networks.size() == 1);
        for (const Path& path : networks[0].paths)
            CHECK(path.size() == 4);
    }
    SECTION("not where there is no way")
    {
        LinkNetwork apart("apart", 4);
        apart.add_links(0, 1, 1, 0);
        apart.add_link({2, 3, 1, 0});
        CHECK(relay_networks(apart, {{0, 1}, {2, 3}}).empty());
    }
}

TEST_CASE("shares of links are parts of their bandwidths, and never nothing", "[concurrent]")
{
    LinkNetwork network("three", 2);
    for (int i = 0; i < 3; ++i)
        network.add_link({0, 1, 2, 7});
    const LinkNetwork shared = with_shares(network, {1, 0.5, 0});
    CHECK(shared.link(0).bytes_per_cycle == 2 * share_parts);
    CHECK(shared.link(1).bytes_per_cycle == share_parts);
    CHECK(shared.link(2).bytes_per_cycle == share_parts / 8);
    CHECK(shared.link(2).latency_cycles == 7);
}

} // namespace nocturne::group_network_test
