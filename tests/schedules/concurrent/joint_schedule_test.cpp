#include "models/topology/make_topology.hpp"
#include "schedules/concurrent/joint_schedule.hpp"
#include "tests/catch.hpp"

namespace nocturne::joint_schedule_test {

TEST_CASE("chunks of several collectives have weights in a common unit", "[concurrent]")
{
    ConcurrentProblem problem{.network = link_network_of(make_topology("torus:4x4")), .collectives = {}};
    problem.collectives.push_back({"x", CollectiveKind::allreduce, {{0, 1, 2, 3}, {4, 5, 6, 7}}, 4096});
    problem.collectives.push_back({"y", CollectiveKind::alltoall, {{0, 4, 8, 12}}, 1200});
    const JointCollective joint = joint_collective(problem, {8, 1});
    // 512 bytes each, and a third of 1200.
    CHECK(joint.chunk_bytes == std::vector<double>{512, 400});
    CHECK(joint.unit_bytes == 16);
    CHECK(joint.first_chunks == std::vector<ChunkId>{0, 16, 28});
    REQUIRE(joint.collective.chunks.size() == 28);
    CHECK(joint.collective.chunks[15].weight == 32);
    CHECK(joint.collective.chunks[15].contributors == std::vector<std::uint32_t>{4, 5, 6, 7});
    CHECK(joint.collective.chunks[16].weight == 25);
    CHECK(joint.collective.demands.of(16).front().receiver == 4);
    problem.collectives[0].bytes = 8;
    CHECK(joint_collective(problem, {8, 1}).chunk_bytes == std::vector<double>{4, 400});
    problem.collectives[1].bytes = std::uint64_t{1} << 40;
    CHECK_THROWS_WITH(joint_collective(problem, {8, 1}),
                      "sizes of collectives at once: chunks without a common unit");
}

} // namespace nocturne::joint_schedule_test
