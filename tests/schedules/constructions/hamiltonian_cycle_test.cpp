#include "models/topology/make_topology.hpp"
#include "schedules/constructions/hamiltonian_cycle.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne::hamiltonian_cycle_test {

TEST_CASE("a Hamiltonian cycle visits every router once, where there is one", "[constructions]")
{
    const auto& [spec, exists] = GENERATE(table<const char*, bool>(
        {{"mesh:2x2", true},     {"mesh:4x3", true},     {"mesh:3x4", true},    {"mesh:16x16", true},
         {"mesh:3x3x2", true},   {"mesh:2x5x3x3", true}, {"torus:3x3", true},   {"torus:5x5", true},
         {"ring:9", true},       {"octagon:8", true},    {"hypercube:5", true}, {"kautz:3,2", true},
         {"debruijn:2,4", true}, {"complete:3", true},   {"petersen", false},   {"mesh:3x3", false},
         {"mesh:1x4", false},    {"star:4", false},      {"fbtree:7", false},   {"mesh:1x2", false}}));
    CAPTURE(spec);
    const Topology topology = make_topology(spec);
    std::vector<RouterId> routers(topology.router_count());
    std::iota(routers.begin(), routers.end(), 0u);
    auto cycle = find_hamiltonian_cycle(topology, routers);
    REQUIRE(cycle.has_value() == exists);
    if (!exists)
        return;
    for (std::size_t i = 0; i < cycle->size(); ++i)
        CHECK(find_channel(topology, (*cycle)[i], (*cycle)[(i + 1) % cycle->size()]));
    std::ranges::sort(*cycle);
    CHECK(*cycle == routers);
}

} // namespace nocturne::hamiltonian_cycle_test
