#include "models/topology/make_topology.hpp"
#include "schedules/certificate/drat.hpp"
#include "schedules/certificate/schedule_formula.hpp"
#include "schedules/satisfiability/encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/satisfiability/satisfies.hpp"
#include "tests/schedules/satisfiability/small_problems.hpp"

#include <stdexcept>

namespace nocturne::schedule_formula_test {

using namespace nocturne::test;

using nocturne::test::fewest_steps;
using nocturne::test::random_small_problem;

namespace {

Verdict verdict(const Problem& problem, unsigned steps)
{
    const std::optional<Formula> formula = schedule_formula(problem, steps);
    REQUIRE(formula);
    const Solution solution = solve(*formula, {}, Proof::drat);
    if (solution.verdict == Verdict::unsatisfiable)
        CHECK(refute_proof(*formula, solution.proof) == std::nullopt);
    else
        CHECK(satisfies(solution.model, *formula));
    return solution.verdict;
}

} // namespace

TEST_CASE("the checker's formula is satisfiable if and only if trying everything finds a schedule",
          "[certificate][formula]")
{
    constexpr unsigned most = 3;
    const unsigned block = GENERATE(range(0u, 6u));
    for (std::uint64_t seed = 1000 + 60 * block; seed < 1060 + 60 * block; ++seed) {
        const Problem problem = random_small_problem(seed);
        const std::optional<unsigned> fewest = fewest_steps(problem, most);
        for (unsigned steps = 1; steps <= most; ++steps) {
            INFO("seed " << seed << ": " << describe(problem) << " in " << steps);
            CHECK(verdict(problem, steps) ==
                  (fewest && *fewest <= steps ? Verdict::satisfiable : Verdict::unsatisfiable));
        }
    }
}

TEST_CASE("a slack that limits no path says the same as a list of all paths", "[certificate][formula]")
{
    for (std::uint64_t seed = 500; seed < 600; ++seed) {
        Problem problem = random_small_problem(seed);
        problem.switching = Switching::wormhole;
        for (unsigned steps = 1; steps <= 3; ++steps) {
            INFO("seed " << seed << ": " << describe(problem) << " in " << steps);
            // Just below the number of routers paths are listed, from there on they are not: all paths are
            // shorter.
            problem.slack = static_cast<unsigned>(problem.topology.router_count()) - 1;
            const Verdict listed = verdict(problem, steps);
            problem.slack = ~0U;
            CHECK(verdict(problem, steps) == listed);
        }
    }
}

TEST_CASE("two encoders that share nothing agree on larger problems", "[certificate][formula]")
{
    const auto& [network, words, steps] = GENERATE(table<std::string, std::string, unsigned>(
        {{"ring:6", "allgather", 2},
         {"ring:6", "allgather", 3},
         {"mesh:3x3", "broadcast", 2},
         {"mesh:3x3", "broadcast slack=1", 3},
         {"mesh:3x3", "broadcast hops", 3},
         {"mesh:3x3", "alltoall slack=0", 6},
         {"ring:5", "alltoall slack=0", 3},
         {"fat_octagon:8", "MNS senders=0,1 receivers=0,1,2,3", 3}}));
    const Problem problem = problem_in_words(network, words);
    INFO(describe(problem) << " in " << steps);
    CHECK(verdict(problem, steps) == solve(encode(problem, steps).formula, {}).verdict);
}

TEST_CASE("the checker's formula is the same each time, and is not made if it is too large",
          "[certificate][formula]")
{
    const Problem problem = make_problem(make_topology("mesh:4x4"), allgather({16}));
    const std::optional<Formula> formula = schedule_formula(problem, 8);
    REQUIRE(formula);
    CHECK(schedule_formula(problem, 8) == formula);
    CHECK(schedule_formula(problem, 8, formula->literal_count()) == formula);
    CHECK(schedule_formula(problem, 8, formula->literal_count() - 1) == std::nullopt);
    CHECK(schedule_formula(problem, ~0U - 1) == std::nullopt);
    CHECK_THROWS_AS(schedule_formula(problem, 0), std::invalid_argument);
    // Where a slack allows paths without number they are not listed to the end.
    Problem mesh = make_problem(make_topology("mesh:9x9"), broadcast({81}, 0));
    mesh.slack = 60;
    CHECK(schedule_formula(mesh, 2, 1'000'000) == std::nullopt);
}

} // namespace nocturne::schedule_formula_test
