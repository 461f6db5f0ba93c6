#include "schedules/constructions/permutation_rounds.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

namespace nocturne::permutation_rounds_test {

TEST_CASE("permutations take N-1 one-port steps", "[constructions]")
{
    const auto spec =
        GENERATE("omega:2", "omega:8", "omega:16", "omega:64", "butterfly:8", "butterfly:16", "butterfly:64",
                 "clos:3,3,4", "clos:4,4,4", "benes:2,3", "benes:3,2", "star:6", "complete:7", "hypercube:4");
    const auto kind = GENERATE(CollectiveKind::alltoall, CollectiveKind::allgather);
    Problem problem = problem_on(spec, kind);
    problem.ports = one_port;
    problem.slack = 0;
    CHECK(valid_steps(permutation_rounds(problem), problem) == problem.topology.processor_count() - 1);
}

TEST_CASE("complementary permutations share the steps of a hypercube", "[constructions]")
{
    const auto dimensions = GENERATE(range(1u, 9u));
    Problem problem = problem_on("hypercube:" + std::to_string(dimensions), CollectiveKind::alltoall);
    problem.slack = 0;
    const std::size_t half = problem.topology.processor_count() / 2;
    CHECK(valid_steps(permutation_rounds(problem), problem) == half);
    if (dimensions > 1) {
        problem.ports = PortModel{2};
        CHECK(valid_steps(permutation_rounds(problem), problem) == half);
    }
}

TEST_CASE("a complete graph scatters in one step", "[constructions]")
{
    Problem problem = problem_on("complete:9", CollectiveKind::alltoall);
    CHECK(valid_steps(permutation_rounds(problem), problem) == 1);
    problem.switching = Switching::store_and_forward;
    CHECK(valid_steps(permutation_rounds(problem), problem) == 1);
    problem.ports = PortModel{3};
    CHECK(valid_steps(permutation_rounds(problem), problem) == 3);
}

TEST_CASE("no permutations where they are in conflict", "[constructions]")
{
    CHECK_FALSE(permutation_rounds(problem_on("mesh:4x4", CollectiveKind::alltoall)));
    CHECK_FALSE(permutation_rounds(problem_on("btree:8", CollectiveKind::alltoall)));
    CHECK_FALSE(permutation_rounds(problem_on("clos:3,2,3", CollectiveKind::alltoall)));
    CHECK_FALSE(permutation_rounds(problem_on("omega:8", CollectiveKind::scatter)));
    CHECK_FALSE(permutation_rounds(problem_on("hypercube:3", CollectiveKind::alltoall, 0, {"channel:0-1"})));
    Problem problem = problem_on("omega:8", CollectiveKind::alltoall);
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(permutation_rounds(problem));
}

} // namespace nocturne::permutation_rounds_test
