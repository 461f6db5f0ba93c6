#include "models/topology/make_topology.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/message_engines.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
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

} // namespace nocturne::exact_test
