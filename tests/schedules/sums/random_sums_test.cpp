// Searches for sums on random networks, with any ports, switching and slack that can be posed.
#include "models/text/json_text.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/sums/sum_schedules.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/asked_number.hpp"
#include "tests/schedules/problem/random_problems.hpp"
#include "tests/schedules/sums/plain_sums.hpp"

#include <array>
#include <numeric>
#include <string>

namespace nocturne::random_sums_test {

using namespace nocturne::test;

namespace {

constexpr std::array kinds{CollectiveKind::reduce, CollectiveKind::reduce_scatter, CollectiveKind::allreduce,
                           CollectiveKind::scan};

/// A random network, and one of the collectives that add on it; nothing if it cannot be posed.
std::optional<Problem> random_sum(std::uint64_t seed)
{
    Problem problem = random_problem(seed, 5, Traffic::broadcast);
    const auto processors = static_cast<std::uint32_t>(problem.topology.processor_count());
    if (processors < 2)
        return std::nullopt;
    const CollectiveKind kind = kinds[seed % kinds.size()];
    problem.collective = make_collective(
        kind, CollectiveShape{processors, static_cast<std::uint32_t>(1 + seed / 4 % 2)},
        has_root(kind) ? std::optional(static_cast<std::uint32_t>(seed % processors)) : std::nullopt);
    try {
        check(problem);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
    return problem;
}

} // namespace

TEST_CASE("schedules for sums are valid, add up, and take no fewer steps than their bounds",
          "[sums][property]")
{
    std::size_t posed = 0, found = 0;
    for (std::uint64_t seed = 1; seed <= asked_number("NOCTURNE_SUM_PROBLEMS", 160); ++seed) {
        const auto problem = random_sum(seed);
        if (!problem)
            continue;
        ++posed;
        CAPTURE(seed, describe(*problem));
        const std::vector<Bound> bounds = lower_bounds(*problem);
        for (const Bound& bound : bounds) {
            CHECK(refute(*problem, bound) == std::nullopt);
            CHECK(parse_bound(json_from_text(json_text(to_json(bound, problem->topology))), problem->topology,
                              "bound") == bound);
        }
        const bool is_backwards = is_copied_backwards(*problem);
        const Problem searched = is_backwards ? turned(*problem) : *problem;
        std::vector<Schedule> schedules;
        for (const char* const name : {"construct", "local", "doubling", "reduce-broadcast", "sums"}) {
            const Engine& engine = find_engine(name);
            if (!can_try(engine, searched))
                continue;
            SearchResult result = search(engine, searched, bounds.front().steps + 12,
                                         SearchControl{.seed = seed, .effort = 20'000});
            if (result.schedule)
                schedules.push_back(is_backwards ? run_backwards(*result.schedule, *problem)
                                                 : *result.schedule);
        }
        found += schedules.empty() ? 0 : 1;
        for (const Schedule& schedule : schedules) {
            CHECK(objection_to(schedule, *problem) == std::nullopt);
            CHECK(sums_are_right(schedule));
            CHECK(schedule.steps.size() >= bounds.front().steps);
        }
    }
    CHECK(posed > 100);
    CHECK(found * 10 >= posed * 7);
}

TEST_CASE("a sum that only one of many processors sends is bounded by that one", "[sums]")
{
    constexpr std::uint32_t processors = 70;
    std::vector<std::uint32_t> all(processors);
    std::iota(all.begin(), all.end(), 0U);
    Collective collective{.processors = processors, .chunks = {{1, all}}};
    collective.demands.push_back({0, 3, {33}});
    const Problem problem = make_problem(make_topology("ring:70"), collective);
    const std::vector<Bound> bounds = lower_bounds(problem);
    REQUIRE(!bounds.empty());
    CHECK(bounds.front().origin == 33U);
    CHECK(refute(problem, bounds.front()) == std::nullopt);
}

TEST_CASE("a bound of sums that claims a step more is refuted", "[sums][certificate]")
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        if (const auto problem = random_sum(seed)) {
            CAPTURE(seed, describe(*problem));
            Bound bound = lower_bounds(*problem).front();
            ++bound.steps;
            CHECK(refute(*problem, bound) != std::nullopt);
        }
}

TEST_CASE("every engine keeps apart the parts of a block, and leaves alone who is not of the group",
          "[sums][property]")
{
    using enum CollectiveKind;
    constexpr std::array copying{broadcast, allgather, scatter, alltoall, gather};
    for (std::uint64_t seed = 1; seed <= asked_number("NOCTURNE_SUM_PROBLEMS", 120); ++seed) {
        Problem problem = random_problem(seed, 6, Traffic::broadcast);
        const auto processors = static_cast<std::uint32_t>(problem.topology.processor_count());
        if (processors < 3)
            continue;
        const CollectiveKind kind = copying[seed % copying.size()];
        CollectiveShape shape{processors, static_cast<std::uint32_t>(1 + seed % 3)};
        for (std::uint32_t id = 0; seed % 2 == 0 && id < processors; ++id)
            if (id != seed % processors)
                shape.group.push_back(id);
        problem.collective = make_collective(
            kind, shape,
            has_root(kind) ? std::optional(static_cast<std::uint32_t>((seed + 1) % processors))
                           : std::nullopt);
        try {
            check(problem);
        } catch (const std::invalid_argument&) {
            continue;
        }
        CAPTURE(seed, describe(problem), shape.parts, shape.group);
        const std::vector<Bound> bounds = lower_bounds(problem);
        for (const Bound& bound : bounds)
            CHECK(refute(problem, bound) == std::nullopt);
        for (const Engine& engine : engines()) {
            if (engine.only_by_name || !can_try(engine, problem))
                continue;
            CAPTURE(engine.name);
            // It throws if what the engine returns is not valid.
            const SearchResult result = search(engine, problem, bounds.front().steps + 8,
                                               SearchControl{.seed = seed, .effort = 5'000});
            if (result.schedule)
                CHECK(result.schedule->steps.size() >= bounds.front().steps);
        }
    }
}

TEST_CASE("the parts of a block for one processor take turns at its port", "[sums]")
{
    Topology pair("pair");
    const RouterId router = pair.add_router("r");
    for (const char* const name : {"a", "b"})
        pair.add_processor(router, router, name);
    const Problem problem{pair, scatter({2, 3}, 0), one_port};
    for (const Engine& engine : engines()) {
        CAPTURE(engine.name);
        if (engine.only_by_name || !can_try(engine, problem))
            continue;
        const SearchResult result = search(engine, problem, 5, SearchControl{.seed = 1, .effort = 1'000});
        if (result.schedule)
            CHECK(result.schedule->steps.size() >= 3);
    }
}

TEST_CASE("what runs backwards twice is what it was", "[sums]")
{
    for (std::uint64_t seed = 0; seed < 80; seed += 4) // reductions
        if (const auto problem = random_sum(seed)) {
            const Problem there = turned(*problem);
            const Problem back = turned(there);
            CHECK(back.collective.chunks == problem->collective.chunks);
            CHECK(back.collective.demands == problem->collective.demands);
            for (ChannelId id = 0; id < back.topology.channel_count(); ++id)
                CHECK(back.topology.channel(id) == problem->topology.channel(id));
        }
}

} // namespace nocturne::random_sums_test
