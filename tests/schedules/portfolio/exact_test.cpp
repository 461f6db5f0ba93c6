#include "models/topology/make_topology.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/exact.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/satisfiability/small_problems.hpp"

#include <optional>
#include <stdexcept>

namespace nocturne::exact_test {

using nocturne::test::fewest_steps;
using nocturne::test::random_small_problem;

namespace {

constexpr Engine exact{"exact", "", suits_exact, search_exact};

/// Some of the random problems have receivers that nothing reaches: the checker of bounds, as all commands,
/// refuses them.
bool can_be_asked(const Problem& problem)
{
    try {
        check(problem);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

/// Is that there is no schedule what the result says, and the checker of bounds believes?
bool is_proven(const Problem& problem, unsigned steps, const SearchResult& result)
{
    return result.outcome == Outcome::impossible &&
           !refute(problem, {steps + 1, "", InfeasibilityProof{result.proof}});
}

} // namespace

TEST_CASE("exact finds a schedule where there is one, and proves that there is none elsewhere",
          "[portfolio][exact]")
{
    constexpr unsigned most = 3;
    const unsigned block = GENERATE(range(0u, 10u));
    for (std::uint64_t seed = 1000 + 25 * block; seed < 1000 + 25 * (block + 1); ++seed) {
        const Problem problem = random_small_problem(seed);
        const std::optional<unsigned> fewest = fewest_steps(problem, most);
        const bool is_asked = can_be_asked(problem);
        for (unsigned steps = 1; steps <= most; ++steps) {
            INFO("seed " << seed << ": " << describe(problem) << " in " << steps);
            const SearchResult result = search(exact, problem, steps, {}); // judged by the validator
            REQUIRE(result.outcome == (fewest && *fewest <= steps ? Outcome::found : Outcome::impossible));
            if (result.outcome == Outcome::impossible && is_asked)
                CHECK(is_proven(problem, steps, result));
        }
    }
}

TEST_CASE("the same effort gives the same result, and is not exceeded", "[portfolio][exact]")
{
    const Problem problem = make_problem(make_topology("mesh:3x3"), alltoall({9}));
    const SearchResult once = search(exact, problem, 6, {});
    const SearchResult again = search(exact, problem, 6, {.seed = 7});
    CHECK(once.schedule == again.schedule);
    CHECK(once.tried == again.tried);
    const SearchResult limited = search(exact, problem, 5, {.effort = 500});
    CHECK(limited.outcome == Outcome::gave_up);
    CHECK(limited.tried <= 500);
    CHECK(limited.unscheduled == 72);
}

TEST_CASE("a stop flag and a deadline end an exact search", "[portfolio][exact]")
{
    const Problem problem = make_problem(make_topology("mesh:4x4"), alltoall({16}));
    std::atomic<bool> stop = true;
    CHECK(search(exact, problem, 15, {.end = {.stop = &stop}}).outcome == Outcome::gave_up);
    CHECK(search(exact, problem, 15, {.end = {.deadline = std::chrono::steady_clock::now()}}).outcome ==
          Outcome::gave_up);
    stop = false;
    unsigned reports = 0;
    const auto result = search(exact, problem, 15,
                               {.end = {.stop = &stop}, .on_progress = [&](const SearchProgress& progress) {
                                    ++reports;
                                    CHECK(progress.engine == "exact");
                                    CHECK(progress.steps == 15);
                                    stop = true;
                                }});
    CHECK(result.outcome == Outcome::gave_up);
    CHECK(reports == 1);
}

} // namespace nocturne::exact_test
