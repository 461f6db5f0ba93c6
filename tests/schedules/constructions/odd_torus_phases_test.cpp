#include "schedules/constructions/odd_torus_phases.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

namespace nocturne::odd_torus_phases_test {

TEST_CASE("a torus with sides of twice an odd number scatters in N*n/8 steps over minimal paths",
          "[constructions]")
{
    const auto [spec, steps] = GENERATE(std::pair{"torus:6x6", 27u}, std::pair{"torus:10x10", 125u},
                                        std::pair{"torus:14x14", 343u}, std::pair{"torus:6x6x6", 162u});
    Problem problem = problem_on(spec, CollectiveKind::alltoall);
    problem.slack = 0;
    problem.ports = GENERATE_COPY(
        PortModel(all_port), PortModel{1 + static_cast<unsigned>(problem.topology.grid()->extent.size())});
    CAPTURE(spec);
    CHECK(valid_steps(odd_torus_phases(problem), problem) == steps);
}

TEST_CASE("no odd torus phases where they do not apply", "[constructions]")
{
    using enum CollectiveKind;
    CHECK_FALSE(odd_torus_phases(problem_on("torus:8x8", alltoall)));
    CHECK_FALSE(odd_torus_phases(problem_on("torus:6x10", alltoall)));
    CHECK_FALSE(odd_torus_phases(problem_on("torus:5x5", alltoall)));
    CHECK_FALSE(odd_torus_phases(problem_on("torus:2x2", alltoall)));
    CHECK_FALSE(odd_torus_phases(problem_on("torus:6", alltoall)));
    CHECK_FALSE(odd_torus_phases(problem_on("torus:6x6", allgather)));
    CHECK_FALSE(odd_torus_phases(problem_on("mesh:6x6", alltoall)));
    CHECK_FALSE(odd_torus_phases(problem_on("torus:6x6", alltoall, 0, {"channel:00-01"})));
    CHECK_FALSE(odd_torus_phases(problem_on("torus:6x6", alltoall, 0, {"node:9"})));
    Problem problem = problem_on("torus:6x6", alltoall);
    problem.ports = PortModel{2};
    CHECK_FALSE(odd_torus_phases(problem));
    problem.ports = all_port;
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(odd_torus_phases(problem));
}

} // namespace nocturne::odd_torus_phases_test
