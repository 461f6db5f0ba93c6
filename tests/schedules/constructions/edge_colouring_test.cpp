#include "models/routing/random.hpp"
#include "schedules/constructions/edge_colouring.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace nocturne::edge_colouring_test {

TEST_CASE("edges of one colour share no end, and there are as many colours as the largest degree",
          "[constructions]")
{
    const auto seed = GENERATE(range(1u, 60u));
    SplitMix64 random(seed);
    const std::uint32_t left = 1 + random.below(12), right = 1 + random.below(12), count = random.below(200);
    std::vector<BipartiteEdge> edges;
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> degree;
    std::uint32_t largest = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        edges.push_back({random.below(left), random.below(right)});
        largest = std::max({largest, ++degree[{0, edges.back().left}], ++degree[{1, edges.back().right}]});
    }
    const std::vector<std::uint32_t> colours = colour_edges(edges);
    REQUIRE(colours.size() == edges.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> at_left, at_right;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        CHECK(colours[i] < largest);
        CHECK(at_left.insert({edges[i].left, colours[i]}).second);
        CHECK(at_right.insert({edges[i].right, colours[i]}).second);
    }
}

} // namespace nocturne::edge_colouring_test
