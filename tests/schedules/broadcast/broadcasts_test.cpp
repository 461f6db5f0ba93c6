#include "models/topology/make_topology.hpp"
#include "schedules/broadcast/local_broadcast.hpp"
#include "schedules/broadcast/one_to_all.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/broadcast/random_broadcasts.hpp"

#include <atomic>
#include <string>

namespace nocturne::broadcasts_test {

using nocturne::test::NetworkSize;
using nocturne::test::random_broadcast;

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
        const Problem problem = random_broadcast(
            seed, NetworkSize{2 + static_cast<unsigned>(seed % 9), static_cast<unsigned>(seed % 5)});
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

TEST_CASE("a search for broadcasts stops when it is told to", "[broadcast]")
{
    Problem problem = make_problem(make_topology("mesh:4x4"), many_to_many_broadcast({16}, {0, 1}, {15}));
    problem.switching = Switching::store_and_forward;
    const unsigned steps = 5; // one more is needed
    const std::uint64_t effort = GENERATE(1u, 17u, 5'000u);
    CHECK(search_broadcast(problem, steps, {.effort = effort}).tried == effort);

    std::atomic<bool> stop{true};
    CHECK(search_broadcast(problem, steps, {.end = {.stop = &stop}}).tried == 0);

    stop = false;
    unsigned reports = 0;
    SearchControl control{.end = {.stop = &stop}};
    control.on_progress = [&](const SearchProgress& progress) {
        CHECK(progress.steps == steps);
        CHECK(progress.unscheduled > 0);
        stop = ++reports == 2;
    };
    CHECK(search_broadcast(problem, steps, control).outcome == Outcome::gave_up);
    CHECK(reports == 2);
}

TEST_CASE("no search through all steps does better on small networks", "[broadcast]")
{
    unsigned compared = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        Problem problem = random_broadcast(seed, NetworkSize{2 + static_cast<unsigned>(seed % 4), 1});
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
        const Problem problem = random_broadcast(
            seed, NetworkSize{3 + static_cast<unsigned>(seed % 12), static_cast<unsigned>(seed % 6)});
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

TEST_CASE("a search for a broadcast of one message stops when it is told to", "[broadcast]")
{
    const Problem problem = make_problem(make_topology("fbtree:63"), broadcast({63}, 0)); // in 4 steps: long
    const SearchResult spent = search_one_to_all(problem, 4, {.effort = 1'000});
    CHECK(spent.outcome == Outcome::gave_up);
    CHECK(spent.tried == 1'000);
    std::atomic<bool> stop{true};
    CHECK(search_one_to_all(problem, 4, {.end = {.stop = &stop}}).tried == 0);
}

} // namespace nocturne::broadcasts_test
