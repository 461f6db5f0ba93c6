#include "models/routing/random.hpp"
#include "schedules/design/half_edges.hpp"
#include "schedules/design/random_network.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/design/example_requests.hpp"

#include <numeric>

namespace nocturne::half_edges_test {

using namespace nocturne::test;
using namespace design;

TEST_CASE("thousands of exchanges keep degrees, simplicity, wire limits and symmetry", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    HalfEdges network = random_network(request, 1);
    const ExchangeDraw draw(network);
    SplitMix64 random(2);
    const std::size_t links_before = network.link_count();
    unsigned changed = 0;
    for (unsigned i = 0; i < 3000; ++i) {
        const Exchange exchange = draw(network, random);
        if (!network.rewire(exchange.beginning, exchange.ending))
            continue;
        ++changed;
        if (i % 50 == 0)
            REQUIRE(find_violation(request, network.links()).empty());
    }
    CHECK(changed > 100);
    CHECK(find_violation(request, network.links()).empty());
    CHECK(network.link_count() == network.links().size());
    CHECK(network.link_count() >= links_before);
    double wire = 0;
    for (const LinkEnds& link : network.links())
        wire += request.wire_length(link.a, link.b);
    CHECK(network.wire_total() == Approx(wire));
}

TEST_CASE("an exchange that is undone, or not allowed, leaves no trace", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    HalfEdges network = random_network(request, 3);
    const ExchangeDraw draw(network);
    const std::vector<LinkEnds> before = network.links();
    const std::vector<NodeId> sources(network.sources().begin(), network.sources().end());
    const double wire = network.wire_total();
    SplitMix64 random(4);
    for (unsigned i = 0; i < 500; ++i) {
        const Exchange exchange = draw(network, random);
        if (network.rewire(exchange.beginning, exchange.ending))
            network.undo();
        REQUIRE(std::equal(sources.begin(), sources.end(), network.sources().begin()));
    }
    CHECK(network.links() == before);
    CHECK(network.wire_total() == wire);
}

TEST_CASE("touched nodes are those whose sources an exchange has changed", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    HalfEdges network = random_network(request, 5);
    const ExchangeDraw draw(network);
    SplitMix64 random(6);
    for (unsigned i = 0; i < 300; ++i) {
        const std::vector<NodeId> before(network.sources().begin(), network.sources().end());
        const Exchange exchange = draw(network, random);
        if (!network.rewire(exchange.beginning, exchange.ending))
            continue;
        for (std::size_t place = 0; place < before.size(); ++place)
            if (before[place] != network.sources()[place]) {
                const auto node = static_cast<NodeId>(place / network.stride());
                const auto touched = network.touched();
                REQUIRE(std::find(touched.begin(), touched.end(), node) != touched.end());
            }
    }
}

TEST_CASE("links can be assigned as they were read", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    const HalfEdges network = random_network(request, 7);
    HalfEdges copy(request);
    copy.assign(network.links());
    CHECK(copy.links() == network.links());
    CHECK(copy.wire_total() == Approx(network.wire_total()));
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

} // namespace nocturne::half_edges_test
