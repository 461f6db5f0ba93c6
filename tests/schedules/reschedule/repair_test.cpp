#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/reschedule/repair.hpp"
#include "schedules/reschedule/residual_paths.hpp"
#include "schedules/reschedule/schedule_changes.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <random>

namespace nocturne::repair_test {

namespace {

/// The cheapest price of a path of at most `hops` hops, by trying them all.
std::optional<unsigned> cheapest(const Topology& topology, RouterId from, RouterId to,
                                 const std::vector<ResidualPaths::Cost>& prices, unsigned hops)
{
    if (from == to)
        return 0;
    std::optional<unsigned> best;
    if (hops > 0)
        for (const ChannelId id : topology.channels_from(from))
            if (const auto rest = cheapest(topology, topology.channel(id).target, to, prices, hops - 1))
                best = std::min(best.value_or(~0U), prices[id] + *rest);
    return best;
}

Schedule valid_schedule(const Problem& problem)
{
    PortfolioOptions options;
    options.workers = 1;
    options.steps = 2 * lower_bound(problem).steps + 4; // found at once
    return find_schedule(problem, options).schedule.value();
}

/// The schedule without some of its transfers: some relays now lack what they pass on.
Schedule with_gaps(Schedule schedule, std::mt19937_64& random, unsigned percent)
{
    for (Step& step : schedule.steps)
        std::erase_if(step, [&](const Transfer&) { return random() % 100 < percent; });
    return schedule;
}

} // namespace

TEST_CASE("residual paths are as cheap as the cheapest of all paths", "[reschedule][repair]")
{
    std::mt19937_64 random(7);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Topology topology = test::random_problem(seed, 6, test::Traffic::scatter).topology;
        std::vector<ResidualPaths::Cost> prices(topology.channel_count());
        for (auto& price : prices)
            price = static_cast<ResidualPaths::Cost>(random() % 4);
        ResidualPaths paths(topology);
        const auto to = static_cast<RouterId>(random() % topology.router_count());
        paths.search(to, prices, 5, 4);
        for (RouterId from = 0; from < topology.router_count(); ++from)
            for (unsigned hops = 0; hops <= 4; ++hops) {
                INFO("network " << seed << ", " << from << " to " << to << " in " << hops << " hops");
                auto expected = cheapest(topology, from, to, prices, hops);
                if (expected > 5U) // or nothing
                    expected.reset();
                const auto found = paths.find(from, hops);
                REQUIRE(found.has_value() == expected.has_value());
                if (!found)
                    continue;
                CHECK(found->cost == *expected);
                CHECK(found->hops <= hops);
                const Path path = paths.path(from, found->hops);
                CHECK(path.size() == found->hops);
                unsigned sum = 0;
                RouterId at = from;
                for (const ChannelId id : path) {
                    CHECK(topology.channel(id).source == at);
                    at = topology.channel(id).target;
                    sum += prices[id];
                }
                CHECK(at == to);
                CHECK(sum == found->cost);
            }
    }
}

TEST_CASE("what a repair makes of a schedule with gaps is valid, has no more steps and is repeatable",
          "[reschedule][repair]")
{
    std::mt19937_64 random(11);
    unsigned found = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto traffic = seed % 2 == 0 ? test::Traffic::scatter : test::Traffic::broadcast;
        const Problem problem = test::random_problem(seed, 7, traffic);
        INFO(seed << ": " << describe(problem));
        const Schedule whole = valid_schedule(problem);
        const Schedule start = with_gaps(whole, random, seed % 3 == 0 ? 60 : 20);
        SearchControl control;
        control.seed = seed;
        control.effort = 3000;
        control.start = &start;
        const auto steps = static_cast<unsigned>(whole.steps.size() + seed % 3);
        const SearchResult result = repair(problem, steps, control);
        REQUIRE(result.schedule.has_value() == (result.outcome == Outcome::found));
        CHECK(repair(problem, steps, control).schedule == result.schedule);
        if (!result.schedule)
            continue;
        ++found;
        CHECK(result.schedule->steps.size() <= steps);
        for (const Violation& violation : validate(*result.schedule, problem.topology))
            FAIL_CHECK(violation.text);
    }
    CHECK(found > 30);
}

TEST_CASE("a whole schedule is not touched by its repair", "[reschedule][repair]")
{
    const Problem problem = make_problem(make_topology("mesh:3x4"), allgather({12}));
    const Schedule whole = valid_schedule(problem);
    SearchControl control;
    control.start = &whole;
    const SearchResult result = repair(problem, static_cast<unsigned>(whole.steps.size()), control);
    REQUIRE(result.schedule);
    CHECK(compare_schedules({whole, {}, 0, 0}, *result.schedule).kept == count_transfers(whole));
}

TEST_CASE("a repair needs a start and a step, and gives up where nothing fits", "[reschedule][repair]")
{
    const Problem problem = make_problem(make_topology("octagon:8"), alltoall({8}));
    CHECK_THROWS_AS(repair(problem, 4, {}), std::invalid_argument);
    const Schedule whole = valid_schedule(problem);
    SearchControl control;
    control.start = &whole;
    CHECK_THROWS_AS(repair(problem, 0, control), std::invalid_argument);
    control.effort = 2000;
    const SearchResult result = repair(problem, 3, control); // 4 are needed
    CHECK(result.outcome == Outcome::gave_up);
    CHECK_FALSE(result.schedule);
    CHECK(result.unscheduled > 0);
}

} // namespace nocturne::repair_test
