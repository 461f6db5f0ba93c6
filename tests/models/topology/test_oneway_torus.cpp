#include "models/topology/generators.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/check_invariants.hpp"

#include <functional>
#include <numeric>

namespace nocturne::oneway_torus_test {

using namespace nocturne::test;

TEST_CASE("a one-way torus has one channel a router and dimension, to the next coordinate",
          "[topology][generators][grid]")
{
    const std::vector<unsigned> extent =
        GENERATE(values<std::vector<unsigned>>({{2}, {3}, {4, 4}, {2, 5}, {3, 4, 5}, {10, 12}}));
    const Topology topology = make_oneway_torus(extent);
    INFO(topology.name());
    const unsigned routers = std::accumulate(extent.begin(), extent.end(), 1u, std::multiplies<>{});
    CHECK(topology.router_count() == routers);
    CHECK(topology.channel_count() == routers * extent.size());
    CHECK(diameter(topology) ==
          std::accumulate(extent.begin(), extent.end(), 0u) - static_cast<unsigned>(extent.size()));
    REQUIRE(topology.grid() == Grid{extent, true});
    for (const Channel& channel : topology.channels()) {
        auto expected = topology.coordinates(channel.source);
        const auto to = topology.coordinates(channel.target);
        std::size_t d = 0;
        while (expected[d] == to[d])
            ++d;
        expected[d] = (expected[d] + 1) % extent[d];
        CHECK(expected == to);
    }
}

} // namespace nocturne::oneway_torus_test
