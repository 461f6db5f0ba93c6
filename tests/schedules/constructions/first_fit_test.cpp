#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/first_fit.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"
#include "tests/schedules/problem/random_problems.hpp"

namespace nocturne::first_fit_test {

TEST_CASE("first fit schedules every scatter, straight over minimal paths", "[constructions][first fit]")
{
    unsigned scheduled = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Problem problem = test::random_problem(seed, 9, test::Traffic::scatter);
        if (problem.switching != Switching::wormhole)
            continue;
        INFO("seed " << seed << ", " << describe(problem));
        problem.slack = 0; // which valid_steps() holds it to
        const auto schedule = first_fit(problem);
        CHECK(valid_steps(schedule, problem) >= 1);
        CHECK(count_transfers(*schedule) == problem.collective.messages().size());
        ++scheduled;
    }
    CHECK(scheduled > 100);
}

TEST_CASE("first fit is not far out", "[constructions][first fit]")
{
    const auto [network, bound] = GENERATE(table<const char*, std::size_t>(
        {{"mesh:4x4", 16}, {"torus:8x8", 64}, {"hypercube:5", 16}, {"fbtree:31", 240}, {"omega:16", 15}}));
    const Problem problem = problem_on(network, CollectiveKind::alltoall);
    CHECK(valid_steps(first_fit(problem), problem) <= 2 * bound);
}

TEST_CASE("first fit is for scatters under wormhole switching", "[constructions][first fit]")
{
    CHECK_FALSE(first_fit(problem_on("mesh:4x4", CollectiveKind::allgather)));
    Problem problem = problem_on("mesh:4x4", CollectiveKind::alltoall);
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(first_fit(problem));
}

} // namespace nocturne::first_fit_test
