#include "models/routing/random.hpp"
#include "schedules/constructions/rearrangeable_network.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne::rearrangeable_network_test {

namespace {

const char* any_rearrangeable()
{
    return GENERATE("clos:1,1,5", "clos:3,3,4", "clos:4,4,4", "clos:2,5,3", "clos:3,3,1", "benes:2,1",
                    "benes:2,2", "benes:2,5", "benes:3,3", "fattree:2", "fattree:8", "fattree:16",
                    "fattree:32", "fattree:3,3", "fattree:4,2", "star:6");
}

} // namespace

TEST_CASE("rearrangeable networks scatter and broadcast for all in N-1 steps, over minimal paths",
          "[constructions]")
{
    const auto spec = any_rearrangeable();
    const auto kind = GENERATE(CollectiveKind::alltoall, CollectiveKind::allgather);
    Problem problem = problem_on(spec, kind);
    problem.slack = 0;
    CHECK(valid_steps(rearrangeable_network(problem), problem) == problem.topology.processor_count() - 1);
}

TEST_CASE("rearrangeable networks route any permutation in one step", "[constructions]")
{
    const auto spec = any_rearrangeable();
    Problem problem = problem_on(spec, CollectiveKind::alltoall);
    std::vector<ProcessorId> image(problem.topology.processor_count());
    std::iota(image.begin(), image.end(), 0u);
    SplitMix64 random(7);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(image.begin(), image.end(), random);
        if (std::is_sorted(image.begin(), image.end()))
            continue; // nothing to send
        problem.collective = permutation(image);
        CHECK(valid_steps(rearrangeable_network(problem), problem) == 1);
    }
}

TEST_CASE("rearrangeable networks scatter among many at the port bound", "[constructions]")
{
    Problem problem = problem_on("benes:2,4", CollectiveKind::alltoall);
    problem.collective = many_to_many_scatter({16}, {0, 1, 2, 3, 4}, {3, 4, 5, 6, 7, 8, 9, 10, 11});
    CHECK(valid_steps(rearrangeable_network(problem), problem) == 9);
    problem.collective = many_to_many_scatter({16}, {0, 2, 4, 6, 8, 10, 12, 14}, {0, 2, 4, 6, 8, 10, 12, 14});
    CHECK(valid_steps(rearrangeable_network(problem), problem) == 7);
}

TEST_CASE("a Clos network with a middle switch to spare bears a fault", "[constructions]")
{
    const auto fault = GENERATE("node:c1s2", "channel:c0s1-c1s3", "channel:c1s0-c2s2");
    const Problem problem = problem_on("clos:3,4,4", CollectiveKind::alltoall, 0, {fault});
    CHECK(valid_steps(rearrangeable_network(problem), problem) == 11);
}

TEST_CASE("networks that block are not taken for rearrangeable ones", "[constructions]")
{
    const auto spec = GENERATE("omega:8", "butterfly:8", "btree:8", "mesh:4x4", "clos:3,2,3", "benes:2,3,1",
                               "fat_octagon:8", "complete:4", "fbtree:7");
    CHECK_FALSE(rearrangeable_network(problem_on(spec, CollectiveKind::alltoall)));
    CHECK_FALSE(rearrangeable_network(problem_on("clos:3,3,4", CollectiveKind::alltoall, 0, {"node:c1s2"})));
    CHECK_FALSE(
        rearrangeable_network(problem_on("fattree:8", CollectiveKind::alltoall, 0, {"channel:l0s0-l1s0"})));
}

} // namespace nocturne::rearrangeable_network_test
