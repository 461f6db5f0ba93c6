#include "schedules/constructions/hamiltonian_ring.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne::hamiltonian_ring_test {

namespace {

std::vector<RouterId> all_routers(const Topology& topology)
{
    std::vector<RouterId> routers(topology.router_count());
    std::iota(routers.begin(), routers.end(), 0u);
    return routers;
}

} // namespace

TEST_CASE("a Hamiltonian cycle visits every router once", "[constructions]")
{
    const auto spec = GENERATE("mesh:2x2", "mesh:4x3", "mesh:3x4", "mesh:16x16", "mesh:3x3x2", "mesh:2x5x3x3",
                               "torus:3x3", "torus:5x5", "ring:9", "octagon:8", "hypercube:5", "kautz:3,2",
                               "debruijn:2,4", "complete:3");
    const Topology topology = make_topology(spec);
    auto cycle = find_hamiltonian_cycle(topology, all_routers(topology));
    REQUIRE(cycle);
    for (std::size_t i = 0; i < cycle->size(); ++i)
        CHECK(find_channel(topology, (*cycle)[i], (*cycle)[(i + 1) % cycle->size()]));
    std::sort(cycle->begin(), cycle->end());
    CHECK(*cycle == all_routers(topology));
}

TEST_CASE("no Hamiltonian cycle where there is none", "[constructions]")
{
    const auto spec = GENERATE("petersen", "mesh:3x3", "mesh:1x4", "star:4", "fbtree:7", "mesh:1x2");
    const Topology topology = make_topology(spec);
    CHECK_FALSE(find_hamiltonian_cycle(topology, all_routers(topology)));
}

TEST_CASE("a Hamiltonian ring broadcasts for all in both directions", "[constructions]")
{
    const auto spec = GENERATE("mesh:2x2", "mesh:4x4", "mesh:8x8", "mesh:16x16", "mesh:5x6", "ring:7",
                               "octagon:8", "torus:3x4", "hypercube:4", "fat_octagon:8", "coated_mesh:2x2");
    Problem problem = problem_on(spec, CollectiveKind::allgather);
    problem.slack = 0;
    const std::size_t others = problem.topology.processor_count() - 1;
    problem.ports = PortModel{2};
    CHECK(valid_steps(hamiltonian_ring(problem), problem) == (others + 1) / 2);
    problem.ports = all_port;
    CHECK(valid_steps(hamiltonian_ring(problem), problem) == (others + 1) / 2);
    problem.ports = one_port;
    CHECK(valid_steps(hamiltonian_ring(problem), problem) == others);
    problem.slack.reset();
    problem.switching = Switching::store_and_forward;
    CHECK(valid_steps(hamiltonian_ring(problem), problem) == others);
}

TEST_CASE("a one-way Hamiltonian ring takes as long as with one port", "[constructions]")
{
    const Problem problem = problem_on("kautz:3,2", CollectiveKind::allgather);
    CHECK(valid_steps(hamiltonian_ring(problem), problem) == 11);
}

TEST_CASE("a Hamiltonian ring keeps clear of a broken link", "[constructions]")
{
    const auto link =
        GENERATE("link:01-02", "link:11-12", "link:01-11", "link:10-20", "link:21-22", "link:22-23");
    const Problem problem = problem_on("mesh:4x4", CollectiveKind::allgather, 0, {link});
    CHECK(valid_steps(hamiltonian_ring(problem), problem) == 8);
}

TEST_CASE("no Hamiltonian ring where it does not apply", "[constructions]")
{
    CHECK_FALSE(hamiltonian_ring(problem_on("mesh:4x4", CollectiveKind::alltoall)));
    CHECK_FALSE(hamiltonian_ring(problem_on("mesh:4x4", CollectiveKind::allgather, 0, {"link:00-01"})));
    CHECK_FALSE(hamiltonian_ring(problem_on("mesh:4x4", CollectiveKind::allgather, 0, {"node:5"})));
    CHECK_FALSE(hamiltonian_ring(problem_on("btree:8", CollectiveKind::allgather)));
    CHECK_FALSE(hamiltonian_ring(problem_on("omega:8", CollectiveKind::allgather)));
}

} // namespace nocturne::hamiltonian_ring_test
