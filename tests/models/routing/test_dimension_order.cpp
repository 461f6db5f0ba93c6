#include "models/routing/grid_steps.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/routings.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <set>

namespace nocturne::dimension_order_test {

TEST_CASE("one-way rings may lead to lower coordinates, and each dimension has its own way", "[routing][dor]")
{
    Topology torus = test::direct_network("down and up", 12);
    torus.set_grid({{3, 4}, true});
    for (RouterId row = 0; row < 3; ++row)
        for (RouterId column = 0; column < 4; ++column) {
            torus.add_channel(row * 4 + column, (row + 2) % 3 * 4 + column);
            torus.add_channel(row * 4 + column, row * 4 + (column + 1) % 4);
        }
    const Routing routing = make_routing(torus, "auto");
    CHECK(routing.name == "dor+datelines");
    test::require_sound(torus, routing);
    test::require_minimal(torus, routing);
    test::require_deadlock_free(torus, routing);
    // A channel of the one direction is missing: there is no second way round.
    Topology broken = test::direct_network("broken", 4, {{0, 1}, {1, 2}, {2, 3}});
    broken.set_grid({{4}, true});
    CHECK_THROWS_WITH(dimension_order(broken), "broken: dimension-order routing: link 3-0 does not exist");
}

TEST_CASE("half the messages go one way round where both are as short", "[routing][dor]")
{
    const Topology ring = make_topology("torus:8");
    const Routing drawn = dimension_order(ring, 7);
    int positive = 0;
    for (int i = 0; i < 1000; ++i)
        positive += drawn.route(0, 4) == dimension_order(ring).route(0, 4) ? 1 : 0;
    CHECK(positive > 400);
    CHECK(positive < 600);
    CHECK(drawn.route(0, 3) == dimension_order(ring).route(0, 3)); // nothing to draw
}

TEST_CASE("drawn directions load the busiest channel of a transposition less", "[routing][dor]")
{
    const Topology torus = make_topology("torus:8x8");
    constexpr unsigned messages = 400; // of each pair
    const auto busiest = [&](const Routing& routing) {
        std::vector<unsigned> load(torus.channel_count());
        for (ProcessorId source = 0; source < 64; ++source)
            for (unsigned i = 0; i < messages; ++i)
                for (const Hop& hop : routing.route(source, source % 8 * 8 + source / 8))
                    ++load[hop.channel];
        return *std::max_element(load.begin(), load.end()) / double{messages};
    };
    CHECK(busiest(dimension_order(torus, HalfWay::positive)) == 4);
    CHECK(busiest(dimension_order(torus, HalfWay::alternating)) == 4);
    CHECK(busiest(dimension_order(torus, 1)) == Approx(3.5).margin(0.15)); // three deviations of 12 channels
}

TEST_CASE("alternating at half a ring, all channels of a torus carry the same", "[routing][dor]")
{
    const Topology torus =
        make_topology(GENERATE("torus:4x4", "torus:8x8", "torus:4x5", "torus:4x3x4", "torus:8"));
    const Routing routing = dimension_order(torus, HalfWay::alternating);
    std::vector<unsigned> routes(torus.channel_count());
    for (ProcessorId source = 0; source < torus.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < torus.processor_count(); ++destination)
            for (const Hop& hop : routing.route(source, destination))
                ++routes[hop.channel];
    for (ChannelId id = 0; id < torus.channel_count(); ++id) {
        const Channel& channel = torus.channel(id);
        const auto from = torus.coordinates(channel.source);
        const auto to = torus.coordinates(channel.target);
        for (ChannelId other = 0; other < torus.channel_count(); ++other) {
            const auto other_from = torus.coordinates(torus.channel(other).source);
            const auto other_to = torus.coordinates(torus.channel(other).target);
            bool is_same_dimension = true;
            for (std::size_t d = 0; d < from.size(); ++d)
                is_same_dimension = is_same_dimension && (from[d] == to[d]) == (other_from[d] == other_to[d]);
            if (is_same_dimension)
                REQUIRE(routes[id] == routes[other]);
        }
    }
}

TEST_CASE("any order of the dimensions is minimal and deadlock-free", "[routing][dor]")
{
    const Topology mesh = make_topology("mesh:3x2x4");
    std::vector<std::size_t> order{0, 1, 2};
    std::set<Path> paths; // of one pair: each order has its own
    do {
        const Routing routing = dimension_order(mesh, order);
        test::require_sound(mesh, routing);
        test::require_minimal(mesh, routing);
        test::require_deadlock_free(mesh, routing);
        paths.insert(test::path_of(routing.route(0, 23)));
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(paths.size() == 6);
    CHECK(dimension_order(mesh, {2, 1, 0}).route(0, 23) == dimension_order(mesh).route(0, 23));
    for (const auto& bad : std::vector<std::vector<std::size_t>>{{0, 1}, {0, 1, 1}, {1, 2, 3}, {0, 1, 2, 2}})
        CHECK_THROWS_WITH(dimension_order(mesh, bad), Catch::Contains("expected each of 0 to 2 once"));
}

TEST_CASE("its hops lead from everywhere as its routes do, without a cycle on tori too", "[routing][dor]")
{
    const Topology topology = make_topology(GENERATE("mesh:3x4", "hypercube:4", "torus:2x2", "torus:3x3",
                                                     "torus:4", "torus:5x4", "torus:3x6x2", "torus:9x3"));
    CAPTURE(topology.name());
    const NextHop next_hop = dimension_order_hops(topology);
    const Routing routing = dimension_order(topology);
    test::Dependencies dependencies;
    for (RouterId source = 0; source < topology.router_count(); ++source)
        for (RouterId destination = 0; destination < topology.router_count(); ++destination) {
            Route hops;
            for (RouterId at = source; at != destination; at = topology.channel(hops.back().channel).target)
                hops.push_back(next_hop(at, destination));
            REQUIRE(test::path_of(hops) == test::path_of(routing.route(source, destination)));
            REQUIRE(std::all_of(hops.begin(), hops.end(), [&](const Hop& hop) {
                return hop.vc_class < (topology.grid()->wraps ? 2u : 1u);
            }));
            test::insert_dependencies(dependencies, hops);
        }
    CHECK_FALSE(test::has_cycle(dependencies));
}

TEST_CASE("dimension order says what it misses", "[routing][dor]")
{
    CHECK_FALSE(is_complete_grid(make_topology("petersen")));
    CHECK_FALSE(is_complete_grid(make_topology("folded_hypercube:4"))); // links across it

    Topology broken = test::direct_network("broken", 4, test::both_ways({{0, 1}, {0, 2}, {2, 3}}));
    broken.add_channel(3, 1);
    broken.set_grid({{2, 2}, false});
    CHECK_THROWS_WITH(dimension_order(broken), "broken: dimension-order routing: link 1-3 does not exist");
    CHECK_FALSE(is_complete_grid(broken));

    const Topology mesh = make_topology("mesh:2x2");
    CHECK(is_complete_grid(mesh));
    CHECK_THROWS_WITH(dimension_order(mesh).route(0, 4), "mesh:2x2: processor 4 does not exist");
}

} // namespace nocturne::dimension_order_test
