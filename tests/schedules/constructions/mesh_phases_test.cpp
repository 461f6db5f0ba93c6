#include "schedules/constructions/mesh_phases.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::mesh_phases_test {

namespace {

Problem minimal_problem(const std::string& spec)
{
    Problem problem = problem_on(spec, CollectiveKind::alltoall);
    problem.slack = 0;
    return problem;
}

} // namespace

TEST_CASE("a mesh scatters in the steps that the middle of its longest side needs", "[constructions]")
{
    const auto [rows, columns] =
        GENERATE(std::pair{4, 4}, std::pair{8, 8}, std::pair{12, 12}, std::pair{16, 16}, std::pair{8, 16},
                 std::pair{16, 8}, std::pair{4, 2}, std::pair{6, 4}, std::pair{6, 8}, std::pair{10, 4},
                 std::pair{2, 18}, std::pair{14, 16});
    Problem problem = minimal_problem(fmt::format("mesh:{}x{}", rows, columns));
    problem.ports = GENERATE(PortModel(all_port), one_port);
    CAPTURE(rows, columns);
    CHECK(valid_steps(mesh_phases(problem), problem) ==
          static_cast<std::size_t>(rows * columns * std::max(rows, columns) / 4));
}

TEST_CASE("a mesh of equal sides that are no multiples of 4 scatters in 1/n more", "[constructions]")
{
    const auto n = GENERATE(6u, 10u, 14u);
    const Problem problem = minimal_problem(fmt::format("mesh:{0}x{0}", n));
    CHECK(valid_steps(mesh_phases(problem), problem) == n * n * (n + 1) / 4);
}

TEST_CASE("a mesh of more dimensions scatters in the steps that its longest side needs", "[constructions]")
{
    const auto [spec, steps] =
        GENERATE(std::pair{"mesh:4x4x4", 64u}, std::pair{"mesh:8x4x4", 256u}, std::pair{"mesh:4x6x8", 384u},
                 std::pair{"mesh:2x4x2", 16u}, std::pair{"mesh:4x4x4x4", 256u});
    const Problem problem = minimal_problem(spec);
    CAPTURE(spec);
    CHECK(valid_steps(mesh_phases(problem), problem) == steps);
}

TEST_CASE("no mesh phases where they do not apply", "[constructions]")
{
    using enum CollectiveKind;
    CHECK_FALSE(mesh_phases(problem_on("mesh:5x5", alltoall)));
    CHECK_FALSE(mesh_phases(problem_on("mesh:4x3", alltoall)));
    CHECK_FALSE(mesh_phases(problem_on("mesh:8", alltoall)));
    CHECK_FALSE(mesh_phases(problem_on("mesh:2x2", alltoall)));
    CHECK_FALSE(mesh_phases(problem_on("hypercube:4", alltoall)));
    CHECK_FALSE(mesh_phases(problem_on("torus:8x8", alltoall)));
    CHECK_FALSE(mesh_phases(problem_on("mesh:4x4", allgather)));
    CHECK_FALSE(mesh_phases(problem_on("coated_mesh:4x4", alltoall)));
    CHECK_FALSE(mesh_phases(problem_on("mesh:4x4", alltoall, 0, {"channel:00-01"})));
    CHECK_FALSE(mesh_phases(problem_on("mesh:4x4", alltoall, 0, {"node:5"})));
    Problem problem = problem_on("mesh:4x4", alltoall);
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(mesh_phases(problem));
}

} // namespace nocturne::mesh_phases_test
