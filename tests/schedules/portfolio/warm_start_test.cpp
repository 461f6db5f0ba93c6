// Engines that begin with a schedule.
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/search/warm_start.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace nocturne::warm_start_test {

using Catch::Contains;

namespace {

/// Scatters and broadcasts, both switchings, sizes that every engine can do.
std::vector<Problem> small_problems()
{
    std::vector<Problem> problems;
    // The processors of omega:8 are further than a hop apart.
    for (const auto& [network, switching] : {std::pair{"ring:5", ""},
                                             {"ring:5", " hops"},
                                             {"mesh:3x3", ""},
                                             {"mesh:3x3", " hops"},
                                             {"omega:8", ""}})
        for (const std::string words : {"alltoall", "allgather", "broadcast source=1"})
            problems.push_back(test::problem_in_words(network, words + switching));
    return problems;
}

/// Transfers of `a` that are in no step of `b`.
std::size_t count_gone(const Schedule& a, const Schedule& b)
{
    std::size_t gone = 0;
    for (const Step& step : a.steps)
        for (const Transfer& transfer : step)
            gone += std::none_of(b.steps.begin(), b.steps.end(), [&](const Step& its) {
                return std::find(its.begin(), its.end(), transfer) != its.end();
            });
    return gone;
}

/// Transfers of `a` that are not in the same step of `b`.
std::size_t count_missing(const Schedule& a, const Schedule& b)
{
    std::size_t missing = 0;
    for (std::size_t step = 0; step < a.steps.size(); ++step)
        for (const Transfer& transfer : a.steps[step])
            missing += step >= b.steps.size() ||
                       std::find(b.steps[step].begin(), b.steps[step].end(), transfer) == b.steps[step].end();
    return missing;
}

/// A schedule that has a step to spare.
Schedule schedule_of(const Problem& problem)
{
    const unsigned steps = lower_bound(problem).steps + 1;
    SearchControl control;
    control.effort = 1'000'000;
    SearchResult result = search(find_engine("local"), problem, steps, control);
    REQUIRE(result.schedule);
    return *result.schedule;
}

/// Anything: transfers of the schedule and nonsense, in any step.
Schedule garbage(const Problem& problem, const std::optional<Schedule>& schedule, SplitMix64& random)
{
    Schedule result = empty_schedule(problem, "garbage");
    result.steps.resize(random.below(9));
    if (result.steps.empty())
        return result;
    const auto any_step = [&]() -> Step& {
        return result.steps[random.below(static_cast<std::uint32_t>(result.steps.size()))];
    };
    const auto about = [&](std::size_t count) { return random.below(static_cast<std::uint32_t>(count + 2)); };
    for (unsigned i = random.below(40); i > 0; --i) {
        Transfer transfer{about(problem.collective.messages().size()),
                          about(problem.topology.processor_count()),
                          about(problem.topology.processor_count()), std::nullopt};
        if (random.below(4) > 0)
            transfer.path.emplace();
        for (unsigned hops = random.below(4); transfer.path && hops > 0; --hops)
            transfer.path->push_back(about(problem.topology.channel_count()));
        any_step().push_back(transfer);
    }
    if (schedule)
        for (const Step& step : schedule->steps)
            for (const Transfer& transfer : step)
                if (random.below(3) > 0)
                    any_step().push_back(transfer);
    return result;
}

} // namespace

TEST_CASE("an engine that begins with a valid schedule returns it", "[portfolio][warm]")
{
    for (const Problem& problem : small_problems()) {
        const Schedule start = schedule_of(problem);
        const auto steps = static_cast<unsigned>(start.steps.size());
        for (const char* const name : {"local", "exact"}) {
            const Engine& engine = find_engine(name);
            if (!engine.suits(problem))
                continue;
            INFO(describe(problem) << ", " << name);
            SearchControl control;
            control.effort = 1; // at once
            control.start = &start;
            const SearchResult result = search(engine, problem, steps, control);
            REQUIRE(result.outcome == Outcome::found);
            CHECK(result.schedule->steps == start.steps);
            CHECK(result.tried == 0);
        }
    }
}

TEST_CASE("what is lost of a schedule is made good, and the rest stays", "[portfolio][warm]")
{
    const std::uint64_t seed = GENERATE(range(1U, 6U));
    for (const Problem& problem : small_problems()) {
        const Schedule whole = schedule_of(problem);
        const auto steps = static_cast<unsigned>(whole.steps.size());
        // The last transfers of their messages: nobody waits for them.
        Schedule start = whole;
        SplitMix64 random(seed);
        const std::size_t lost = 1 + random.below(static_cast<std::uint32_t>(start.steps.back().size()));
        start.steps.back().resize(start.steps.back().size() - lost);
        REQUIRE_FALSE(valid_start(problem, steps, &start));
        if (problem.collective.messages().size() == 1)
            continue; // a broadcast of one message begins afresh
        INFO(describe(problem) << ", lost " << lost);
        SearchControl control;
        control.seed = seed;
        control.start = &start;
        // No search worth the name. A message that lost the end of its route may look for another one.
        control.effort = 2 * count_transfers(whole);
        const SearchResult local = search(find_engine("local"), problem, steps, control);
        REQUIRE(local.outcome == Outcome::found);
        CHECK(count_missing(start, *local.schedule) <=
              (problem.switching == Switching::wormhole ? 0 : 2 * lost));
        // The solver goes its own ways, over minimal paths first, and exchanges steps where it can.
        if (problem.switching != Switching::wormhole)
            continue;
        control.effort = 50'000;
        const SearchResult exact = search(find_engine("exact"), problem, steps, control);
        REQUIRE(exact.outcome == Outcome::found);
        CHECK(count_gone(start, *exact.schedule) <= count_transfers(whole) / 3);
    }
}

TEST_CASE("no schedule to begin with makes a result invalid", "[portfolio][warm]")
{
    // search() throws for a schedule that the validator refuses.
    std::map<std::string_view, unsigned> found;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        for (const auto traffic : {test::Traffic::scatter, test::Traffic::broadcast}) {
            const Problem problem = test::random_problem(seed, 6, traffic);
            SplitMix64 random(seed);
            const unsigned steps = lower_bound(problem).steps + random.below(3);
            SearchControl control;
            control.seed = seed;
            control.effort = 300;
            const Schedule start =
                garbage(problem, search(find_engine("local"), problem, steps, control).schedule, random);
            control.start = &start;
            INFO("seed " << seed << ", " << describe(problem));
            for (const Engine& engine : engines())
                if (!engine.only_by_name && can_try(engine, problem)) {
                    INFO(engine.name);
                    const SearchResult result = search(engine, problem, steps, control);
                    CHECK((result.outcome == Outcome::found) == result.schedule.has_value());
                    found[engine.name] += result.schedule.has_value() ? 1 : 0;
                }
        }
    CHECK(found["local"] >= 100);
    CHECK(found["exact"] >= 100);
}

TEST_CASE("a schedule to begin with is for as many processors and messages", "[portfolio][warm]")
{
    const Problem problem = make_problem(make_topology("ring:5"), alltoall({5}));
    Schedule start = empty_schedule(problem, "start");
    start.collective = alltoall({6});
    SearchControl control;
    control.start = &start;
    CHECK_THROWS_WITH(search(find_engine("local"), problem, 9, control),
                      Contains("the initial schedule is for 6 processors, not 5"));
    start.collective = allgather({5});
    CHECK_THROWS_WITH(search(find_engine("exact"), problem, 9, control),
                      Contains("the initial schedule is for 5 messages, not 20"));
    CHECK_THROWS_AS(find_schedule(problem, {.start = start}), std::invalid_argument);
}

TEST_CASE("transfers that a problem does not allow are not used", "[portfolio][warm]")
{
    Problem problem = make_problem(make_topology("ring:4"), alltoall({4}));
    Schedule start = schedule_of(problem);
    REQUIRE(usable_steps(problem, &start) == start.steps);
    REQUIRE(usable_steps(problem, nullptr).empty());
    const Transfer fine = start.steps[0][0];
    const auto usable = [&](const Transfer& transfer) {
        start.steps = {{transfer}};
        return usable_steps(problem, &start) == start.steps;
    };
    CHECK(usable(fine));
    CHECK_FALSE(usable({99, fine.source, fine.destination, fine.path}));
    CHECK_FALSE(usable({no_message, fine.source, fine.destination, fine.path}));
    CHECK_FALSE(usable({fine.message, 99, fine.destination, fine.path}));
    CHECK_FALSE(usable({fine.message, fine.source, fine.source, Path{}}));
    CHECK_FALSE(usable({fine.message, fine.source, fine.destination, std::nullopt}));
    CHECK_FALSE(usable({fine.message, fine.source, fine.destination, Path{}}));
    CHECK_FALSE(usable({fine.message, fine.source, fine.destination, Path{99}}));
    // The long way round.
    Path round;
    const MessageId neighbour = find_message(problem.collective, 0, 1).value();
    for (const RouterId from : {0U, 3U, 2U})
        for (const ChannelId channel : problem.topology.channels_from(from))
            if (problem.topology.channel(channel).target == (from + 3) % 4)
                round.push_back(channel);
    CHECK(usable({neighbour, 0, 1, round}));
    problem.slack = 2;
    CHECK(usable({neighbour, 0, 1, round}));
    CHECK_FALSE(usable({neighbour, 0, 3, Path{round[0]}})); // it goes straight to its receiver
    problem.slack = 1;
    CHECK_FALSE(usable({neighbour, 0, 1, round}));
    problem.slack.reset();
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(usable({neighbour, 0, 1, round}));
}

TEST_CASE("a portfolio is never worse than the schedule that it begins with", "[portfolio][warm][portfolio]")
{
    const Problem problem = make_problem(make_topology("mesh:3x3"), alltoall({9}));
    const unsigned bound = lower_bound(problem).steps;
    const Schedule start = schedule_of(problem);
    // Asked for no more it is the answer, unless a construction is better.
    const PortfolioResult same = find_schedule(problem, {.steps = bound + 1, .start = start});
    REQUIRE(same.schedule);
    CHECK(same.schedule->steps == start.steps);
    CHECK(same.engine == "start");
    const PortfolioResult better = find_schedule(problem, {.start = start});
    CHECK(better.is_optimal);
    CHECK(better.engine != "start");
    // One that does not hold is no obstacle.
    Schedule broken = start;
    broken.steps.pop_back();
    std::string note;
    const PortfolioResult repaired = find_schedule(
        problem,
        {.steps = bound + 1, .start = broken, .on_note = [&](const std::string& text) { note = text; }});
    REQUIRE(repaired.schedule);
    CHECK_THAT(note, Contains("the initial schedule is not valid here"));
    CHECK(validate(*repaired.schedule, problem.topology).empty());
}

} // namespace nocturne::warm_start_test
