#include "models/measures/graph.hpp"
#include "models/measures/latency.hpp"
#include "sim/design/conceptual_networks.hpp"
#include "tests/catch.hpp"

#include <algorithm>

namespace nocturne::conceptual_networks_test {

namespace {

std::vector<std::string> names(std::uint32_t processors, unsigned degree)
{
    std::vector<std::string> result;
    for (const Topology& topology : conceptual_networks(processors, degree))
        result.push_back(topology.name());
    return result;
}

} // namespace

TEST_CASE("conceptual networks are all that have the size and no more links", "[design]")
{
    CHECK(names(16, 4) == std::vector<std::string>{"ring:16", "torus:2x8", "torus:2x2x4", "torus:4x4",
                                                   "octagon:16", "hypercube:4", "debruijn:4,2",
                                                   "debruijn:2,4"});
    CHECK(names(16, 3) == std::vector<std::string>{"ring:16", "torus:2x8", "octagon:16", "debruijn:2,4"});
    CHECK(names(12, 3) ==
          std::vector<std::string>{"ring:12", "torus:2x6", "octagon:12", "kautz:3,2", "kautz:2,3"});
    CHECK(names(10, 3) == std::vector<std::string>{"ring:10", "torus:2x5", "petersen"});
    CHECK(names(5, 4) == std::vector<std::string>{"ring:5", "complete:5"});
    CHECK(names(2, 1) == std::vector<std::string>{"mesh:1x2"});
    CHECK(names(1, 4).empty());
    CHECK(names(0, 4).empty());
}

TEST_CASE("conceptual networks have a processor at each router, few links, and paths everywhere", "[design]")
{
    const auto [processors, degree] = GENERATE(table<std::uint32_t, unsigned>(
        {{7, 2}, {24, 5}, {32, 4}, {36, 4}, {50, 7}, {64, 3}, {64, 6}, {72, 8}, {128, 4}}));
    const std::vector<Topology> networks = conceptual_networks(processors, degree);
    REQUIRE(networks.size() >= 1);
    for (const Topology& topology : networks) {
        INFO(topology.name());
        REQUIRE(topology.processor_count() == processors);
        REQUIRE(topology.router_count() == processors);
        for (RouterId id = 0; id < topology.router_count(); ++id) {
            REQUIRE(topology.channels_from(id).size() <= degree);
            REQUIRE(topology.channels_to(id).size() <= degree);
        }
        REQUIRE(measures::hop_latency(measures::graph_of(topology)).unreachable_pairs == 0);
        REQUIRE(std::ranges::count(networks, topology.name(), &Topology::name) == 1);
    }
}

} // namespace nocturne::conceptual_networks_test
