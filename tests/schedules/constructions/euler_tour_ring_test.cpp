#include "schedules/constructions/euler_tour_ring.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <numeric>

namespace nocturne::euler_tour_ring_test {

TEST_CASE("a tour broadcasts for all in N-1 one-port steps on any network of bidirectional links",
          "[constructions]")
{
    const auto spec =
        GENERATE("btree:2", "btree:8", "btree:16", "btree:32", "fbtree:3", "fbtree:7", "fbtree:15",
                 "fbtree:31", "fbtree:63", "fattree:16", "fattree:3,2", "coated_mesh:4x4", "mesh:1x5",
                 "mesh:3x3", "octagon:8", "fat_octagon:8", "star:5", "petersen", "hoffman_singleton");
    Problem problem = problem_on(spec, CollectiveKind::allgather);
    CHECK(valid_steps(euler_tour_ring(problem), problem) == problem.topology.processor_count() - 1);
    problem.ports = one_port;
    CHECK(valid_steps(euler_tour_ring(problem), problem) == problem.topology.processor_count() - 1);
}

TEST_CASE("a tour of a mesh keeps clear of faults", "[constructions]")
{
    const auto fault = GENERATE("link:00-01", "link:11-12", "node:0", "node:5", "channel:00-01");
    const Problem problem = problem_on("mesh:4x4", CollectiveKind::allgather, 0, {fault});
    CHECK(valid_steps(euler_tour_ring(problem), problem) == problem.topology.processor_count() - 1);
}

TEST_CASE("a tour broadcasts from senders to receivers, through routers of others", "[constructions]")
{
    Problem problem = problem_on("fat_octagon:8", CollectiveKind::allgather);
    problem.collective =
        many_to_many_broadcast({16}, {0, 2, 4, 6, 8, 10, 12, 14}, {0, 2, 4, 6, 8, 10, 12, 14});
    CHECK(valid_steps(euler_tour_ring(problem), problem) == 7);
    problem.collective = many_to_many_broadcast({16}, {0, 1, 2}, {3, 9});
    CHECK(valid_steps(euler_tour_ring(problem), problem) <= 4);
}

TEST_CASE("no tour where it does not apply", "[constructions]")
{
    CHECK_FALSE(euler_tour_ring(problem_on("mesh:4x4", CollectiveKind::alltoall)));
    CHECK_FALSE(euler_tour_ring(problem_on("mesh:4x4", CollectiveKind::broadcast)));
    CHECK_FALSE(euler_tour_ring(problem_on("omega:8", CollectiveKind::allgather)));
    CHECK_FALSE(euler_tour_ring(problem_on("kautz:3,2", CollectiveKind::allgather)));
    Problem problem = problem_on("btree:8", CollectiveKind::allgather);
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(euler_tour_ring(problem));
    problem =
        problem_on("mesh:3x3", CollectiveKind::allgather); // from one branch to the next is no minimal path
    problem.slack = 0;
    if (const auto schedule = euler_tour_ring(problem))
        CHECK(valid_steps(schedule, problem) == 8);
}

} // namespace nocturne::euler_tour_ring_test
