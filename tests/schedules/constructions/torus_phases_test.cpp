#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/constructions/torus_phases.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <fmt/format.h>

namespace nocturne::torus_phases_test {

TEST_CASE("a torus scatters in n^3/8 steps over minimal paths", "[constructions]")
{
    const auto [rows, columns] =
        GENERATE(std::pair{4, 4}, std::pair{8, 8}, std::pair{12, 12}, std::pair{16, 16}, std::pair{4, 8},
                 std::pair{8, 4}, std::pair{8, 12}, std::pair{16, 4});
    Problem problem = problem_on(fmt::format("torus:{}x{}", rows, columns), CollectiveKind::alltoall);
    problem.slack = 0;
    problem.ports = GENERATE(PortModel(all_port), PortModel{2});
    CHECK(valid_steps(torus_phases(problem), problem) ==
          static_cast<std::size_t>(rows * columns * std::max(rows, columns) / 8));
}

TEST_CASE("a torus of more dimensions scatters in the steps that its longest dimension needs",
          "[constructions]")
{
    const auto [spec, steps] = GENERATE(std::pair{"torus:4x4x4", 32u}, std::pair{"torus:8x4x4", 128u},
                                        std::pair{"torus:4x8x4", 128u}, std::pair{"torus:4x4x4x4", 128u});
    Problem problem = problem_on(spec, CollectiveKind::alltoall);
    problem.slack = 0;
    problem.ports = PortModel{2};
    CAPTURE(spec);
    CHECK(valid_steps(torus_phases(problem), problem) == steps);
}

TEST_CASE("a ring scatters in n^2/8 steps over minimal paths", "[constructions]")
{
    const auto n = GENERATE(4u, 8u, 12u, 16u, 20u, 64u);
    const auto spec = GENERATE("ring:{}", "torus:{}");
    Problem problem = problem_on(fmt::format(fmt::runtime(spec), n), CollectiveKind::alltoall);
    problem.slack = 0;
    CHECK(valid_steps(ring_phases(problem), problem) == n * n / 8);
}

TEST_CASE("no phases where they do not apply", "[constructions]")
{
    CHECK_FALSE(torus_phases(problem_on("torus:8x6", CollectiveKind::alltoall)));
    CHECK_FALSE(torus_phases(problem_on("torus:5x5", CollectiveKind::alltoall)));
    CHECK_FALSE(torus_phases(problem_on("torus:4x4x6", CollectiveKind::alltoall)));
    CHECK_FALSE(torus_phases(problem_on("torus:8x8", CollectiveKind::allgather)));
    CHECK_FALSE(torus_phases(problem_on("mesh:8x8", CollectiveKind::alltoall)));
    CHECK_FALSE(torus_phases(problem_on("torus:8x8", CollectiveKind::alltoall, 0, {"channel:00-01"})));
    CHECK_FALSE(torus_phases(problem_on("torus:8x8", CollectiveKind::alltoall, 0, {"node:9"})));
    CHECK_FALSE(ring_phases(problem_on("ring:6", CollectiveKind::alltoall)));
    CHECK_FALSE(ring_phases(problem_on("mesh:8", CollectiveKind::alltoall)));
    Problem problem = problem_on("torus:4x4", CollectiveKind::alltoall);
    problem.ports = one_port;
    CHECK_FALSE(torus_phases(problem));
    problem.ports = all_port;
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(torus_phases(problem));
    problem =
        problem_on("octagon:8", CollectiveKind::alltoall); // the ring is in it, but links across are shorter
    CHECK(valid_steps(ring_phases(problem), problem) == 8);
    problem.slack = 0;
    CHECK_FALSE(ring_phases(problem));
}

TEST_CASE("a missing link takes from the phases what goes over it, and nothing else", "[constructions]")
{
    const Topology whole = make_topology("torus:8x8");
    const auto phases = torus_phases(make_problem(whole, alltoall({64})));
    const Problem broken =
        make_problem(with_faults(whole, std::vector<std::string>{"link:00-01"}), alltoall({64}));
    const auto left = surviving_torus_phases(broken);
    REQUIRE(left.has_value());
    CHECK(left->steps.size() == phases->steps.size());
    std::size_t before = 0, after = 0;
    for (const Step& step : phases->steps)
        before += step.size();
    for (const Step& step : left->steps) {
        after += step.size();
        for (const Transfer& transfer : step)
            CHECK(connects(broken.topology, transfer.source, transfer.destination, *transfer.path));
    }
    // Every channel of the whole torus is busy in every step.
    CHECK(before - after == 2 * phases->steps.size());
    CHECK(surviving_torus_phases(make_problem(whole, alltoall({64}))) == std::nullopt);
    CHECK(surviving_torus_phases(make_problem(make_topology("mesh:8x8"), alltoall({64}))) == std::nullopt);
}

} // namespace nocturne::torus_phases_test
