#include "models/routing/random.hpp"
#include "schedules/design/hop_levels.hpp"
#include "schedules/design/random_network.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/design/example_requests.hpp"

namespace nocturne::hop_levels_test {

using namespace nocturne::test;
using namespace design;

TEST_CASE("hops after thousands of exchanges are those of breadth-first searches, and requests are kept",
          "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    const HopStrategy strategy = GENERATE(HopStrategy::all_levels, HopStrategy::kept_levels);
    INFO(name);
    HalfEdges network = random_network(request, 1);
    HopLevels levels(request, strategy);
    HopTotals totals = levels.start(network);
    REQUIRE(totals == hops_by_search(request, network.links()));
    const ExchangeDraw draw(network);
    SplitMix64 random(2);
    for (unsigned i = 0; i < 800; ++i) {
        const Exchange exchange = draw(network, random);
        const std::vector<LinkEnds> before = network.links();
        if (!network.rewire(exchange.beginning, exchange.ending)) {
            REQUIRE(network.links() == before);
            continue;
        }
        // Some searches end early, and some exchanges are kept.
        HopLimit limit{.per_hop = 1};
        if (random.below(2) == 0)
            limit.most = static_cast<double>(totals.sum) * (1 + 0.05 * random.uniform());
        const auto measured = levels.measure(network, limit);
        const bool is_checked = i % 8 == 0 || !measured;
        const HopTotals expected = is_checked ? hops_by_search(request, network.links()) : HopTotals();
        if (measured && is_checked)
            REQUIRE(*measured == expected);
        if (!measured)
            REQUIRE(static_cast<double>(expected.sum) > limit.most);
        if (measured && random.below(3) > 0) {
            levels.keep();
            totals = *measured;
        } else {
            network.undo();
            levels.drop();
            REQUIRE(network.links() == before);
        }
        if (i % 50 == 0)
            REQUIRE(find_violation(request, network.links()).empty());
    }
    CHECK(find_violation(request, network.links()).empty());
    CHECK(network.link_count() == network.links().size());
    double wire = 0;
    for (const LinkEnds& link : network.links())
        wire += request.wire_length(link.a, link.b);
    CHECK(network.wire_total() == Approx(wire));
    HalfEdges copy(request);
    copy.assign(network.links());
    CHECK(copy.links() == network.links());
    CHECK(copy.wire_total() == Approx(wire));
    CHECK(totals == hops_by_search(request, network.links()));
}

TEST_CASE("pairs that no path joins count as many hops as there are nodes", "[schedules][design]")
{
    const Request request{.nodes = 6, .degrees = {2}};
    HalfEdges network(request);
    network.assign(std::vector<LinkEnds>{{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}});
    const HopTotals totals = HopLevels(request).start(network);
    CHECK(totals == HopTotals{.sum = 12 + 18 * 6, .maximum = 6, .apart = 18});
}

TEST_CASE("a limit on the maximum ends a search", "[schedules][design]")
{
    const Request request{.nodes = 8, .degrees = {2}};
    HalfEdges ring(request);
    ring.assign(std::vector<LinkEnds>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {0, 7}});
    HopLevels levels(request);
    CHECK(levels.start(ring) == HopTotals{.sum = 128, .maximum = 4, .apart = 0});
    CHECK_FALSE(levels.measure(ring, {.per_level = 1, .most = 3}));
    levels.drop();
    CHECK(levels.measure(ring, {.per_level = 1, .most = 4}));
}

TEST_CASE("random networks have all their links where wires have no limit", "[schedules][design]")
{
    for (const auto& [name, request] : example_requests()) {
        INFO(name);
        if (!request.positions.empty())
            continue;
        const HalfEdges network = random_network(request, GENERATE(1, 2, 3));
        std::size_t ends = 0;
        for (NodeId node = 0; node < request.nodes; ++node)
            ends += request.degree(node);
        CHECK(network.link_count() == (network.is_one_way() ? ends : ends / 2));
    }
}

TEST_CASE("links outside of degrees, symmetry and limits cannot be assigned", "[schedules][design]")
{
    const Request request{.nodes = 4, .degrees = {2}, .symmetry = 2};
    HalfEdges network(request);
    const auto assign = [&](std::vector<LinkEnds> links) { network.assign(links); };
    CHECK_NOTHROW(assign({{0, 1}, {1, 2}, {2, 3}, {0, 3}}));
    CHECK_THROWS_AS(assign({{0, 1}, {1, 2}, {2, 3}}), std::invalid_argument);
    CHECK_THROWS_AS(assign({{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}), std::invalid_argument);
    CHECK_THROWS_AS(assign({{0, 4}}), std::invalid_argument);
}

} // namespace nocturne::hop_levels_test
