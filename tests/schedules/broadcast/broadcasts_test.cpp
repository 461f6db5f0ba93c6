#include "models/topology/make_topology.hpp"
#include "schedules/broadcast/broadcast_engines.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <string>

namespace nocturne::broadcasts_test {

using nocturne::test::random_problem;
using nocturne::test::Traffic;

namespace {

/// First text of what the validator finds, or nothing.
std::string defect(const Problem& problem, const SearchResult& result, unsigned steps)
{
    if (!result.schedule)
        return "no schedule";
    if (result.schedule->steps.size() > steps)
        return "too many steps";
    const auto violations = validate(*result.schedule, problem);
    return violations.empty() ? std::string() : violations.front().text;
}

/// Steps that any schedule has time with: every delivery by itself.
unsigned plenty(const Problem& problem)
{
    std::size_t steps = 1;
    for (const Message& message : problem.collective.messages())
        steps += problem.topology.processor_count() + message.receivers.size();
    return static_cast<unsigned>(steps);
}

} // namespace

TEST_CASE("every broadcast found on random networks is valid", "[broadcast]")
{
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Problem problem = random_problem(seed, 2 + seed % 9, Traffic::broadcast);
        CAPTURE(seed, describe(problem));
        const unsigned steps = plenty(problem);
        const SearchResult ample = search_broadcast(problem, steps, {.seed = seed, .effort = 20'000});
        REQUIRE(defect(problem, ample, steps) == "");
        // As far down as it gets.
        for (auto fewer = static_cast<unsigned>(ample.schedule->steps.size()) - 1; fewer > 0; --fewer) {
            const SearchResult tight = search_broadcast(problem, fewer, {.seed = seed, .effort = 1'000});
            if (tight.outcome != Outcome::found)
                break;
            REQUIRE(defect(problem, tight, fewer) == "");
        }
    }
}

TEST_CASE("no search through all steps does better on small networks", "[broadcast]")
{
    unsigned compared = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        Problem problem = random_problem(seed, 2 + seed % 4, Traffic::broadcast);
        problem.slack.reset();
        if (!suits_one_to_all(problem) || problem.topology.processor_count() > 6)
            continue;
        CAPTURE(seed, describe(problem));
        const auto steps = test::shortest_schedule(problem, 1'000'000);
        if (!steps)
            continue;
        REQUIRE(defect(problem, search_one_to_all(problem, *steps, {.seed = seed}), *steps) == "");
        ++compared;
    }
    CHECK(compared > 25);
}

TEST_CASE("every broadcast of one message found on random networks is valid", "[broadcast]")
{
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        const Problem problem = random_problem(seed, 3 + seed % 12, Traffic::broadcast);
        if (!suits_one_to_all(problem))
            continue;
        CAPTURE(seed, describe(problem));
        for (unsigned steps = static_cast<unsigned>(problem.topology.processor_count()); steps > 0; --steps) {
            const SearchResult result = search_one_to_all(problem, steps, {.seed = seed, .effort = 2'000});
            if (result.outcome != Outcome::found)
                break;
            REQUIRE(defect(problem, result, steps) == "");
        }
    }
}

} // namespace nocturne::broadcasts_test
