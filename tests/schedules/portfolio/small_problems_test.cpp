// Bounds and engines against brute force: whatever the ports, slack, switching, faults and collective.
#include "models/routing/distances.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/problem/asked_number.hpp"
#include "tests/schedules/satisfiability/small_problems.hpp"

#include <map>
#include <string_view>

namespace nocturne::small_problems_test {
namespace {

constexpr std::uint64_t most_engine_effort = 300;
/// Deliveries that brute force tries before it leaves a problem undecided.
constexpr std::size_t most_brute_force = 20'000;
/// Every so many problems the portfolio has its turn: it starts processes.
constexpr std::uint64_t portfolio_interval = 20;

const std::uint64_t problem_count = test::asked_number("NOCTURNE_SMALL_PROBLEMS", 300);

bool can_be_posed(const Problem& problem)
{
    try {
        check(problem);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

/// search() throws std::logic_error for what the judge refuses.
SearchResult search_shortly(const Engine& engine, const Problem& problem, unsigned steps,
                            std::uint64_t effort)
{
    SearchControl control;
    control.effort = effort;
    return search(engine, problem, steps, control);
}

/// Is there a receiver that its message cannot get to without a relay?
bool needs_relays(const Problem& problem)
{
    if (problem.switching != Switching::wormhole)
        return false;
    for (const Message& message : problem.collective.messages())
        for (const ProcessorId receiver : message.receivers) {
            const auto [from, to] = endpoints(problem.topology, message.origin, receiver);
            if (distances_from(problem.topology, from)[to] == unreachable)
                return true;
        }
    return false;
}

/// How often each engine has found a schedule.
using Finds = std::map<std::string_view, unsigned>;

void check_engines(const Problem& problem, unsigned bound, std::optional<unsigned> optimum, Finds& finds)
{
    for (const Engine& engine : engines()) {
        if (!can_try(engine, problem))
            continue;
        INFO(engine.name);
        const unsigned steps = optimum.value_or(bound);
        SearchResult result;
        try {
            result = search_shortly(engine, problem, steps, most_engine_effort);
        } catch (const std::logic_error& error) {
            FAIL_CHECK(error.what());
            continue;
        }
        CHECK((result.outcome == Outcome::found) == result.schedule.has_value());
        CHECK((!result.schedule || result.schedule->steps.size() >= bound));
        finds[engine.name] += result.schedule ? 1 : 0;
        if (!optimum)
            continue;
        CHECK(result.outcome != Outcome::impossible);
        if (steps > 1)
            CHECK(search_shortly(engine, problem, steps - 1, most_engine_effort).outcome != Outcome::found);
    }
    if (optimum)
        CHECK(search_shortly(find_engine("exact"), problem, *optimum, 0).outcome == Outcome::found);
}

void check_portfolio(const Problem& problem, std::optional<unsigned> optimum)
{
    PortfolioOptions options;
    options.budget = std::chrono::seconds(20);
    const PortfolioResult result = find_schedule(problem, options);
    REQUIRE(result.schedule);
    CHECK(validate(*result.schedule, problem).empty());
    if (optimum)
        CHECK(result.schedule->steps.size() == *optimum);
}

} // namespace

TEST_CASE(
    "no bound is above the optimum of a small problem, no engine breaks a rule, and nothing is refused that "
    "relays can reach",
    "[portfolio][engines][small]")
{
    std::uint64_t posed = 0;
    std::uint64_t decided = 0;
    std::uint64_t relayed = 0;
    std::uint64_t mixed = 0;
    Finds finds;
    for (std::uint64_t seed = 0; seed < problem_count; ++seed) {
        const Problem problem = test::random_broken_problem(seed);
        INFO("seed " << seed << ", " << describe(problem));
        REQUIRE(can_be_posed(problem) == test::can_be_delivered(problem));
        if (!can_be_posed(problem))
            continue;
        ++posed;
        relayed += needs_relays(problem) ? 1 : 0;
        mixed += mixes_relays(problem) ? 1 : 0;
        const bool fits = problem.collective.messages().size() * problem.topology.processor_count() < 64;
        const auto optimum = fits ? test::shortest_schedule(problem, most_brute_force) : std::nullopt;
        decided += optimum ? 1 : 0;
        const std::vector<Bound> bounds = lower_bounds(problem);
        for (const Bound& bound : bounds) {
            INFO(bound.steps << " " << kind_of(bound) << ": " << bound.reason);
            CHECK_FALSE(refute(problem, bound));
            if (optimum)
                CHECK(bound.steps <= *optimum);
        }
        check_engines(problem, bounds.front().steps, optimum, finds);
        if (seed % portfolio_interval == 0)
            check_portfolio(problem, optimum);
    }
    CHECK(posed > problem_count * 6 / 10);
    CHECK(decided > problem_count / 2);
    CHECK(relayed > 0);
    CHECK(mixed > problem_count / 100);
    for (const Engine& engine : engines()) {
        INFO(engine.name);
        CHECK((engine.adds || engine.by_objective != nullptr || finds[engine.name] >= problem_count / 60));
    }
}

TEST_CASE("what a slack sends straight is relayed by no engine", "[portfolio][engines][small]")
{
    // Of four senders two are receivers, whose messages have one receiver: the others' messages may be
    // relayed.
    const Topology ring =
        test::direct_network("one way a-b-d-c-a", {"a", "b", "c", "d"}, {{0, 1}, {1, 3}, {3, 2}, {2, 0}});
    const auto [network, senders, receivers, slack] =
        GENERATE_COPY(table<Topology, std::vector<std::uint32_t>, std::vector<std::uint32_t>, unsigned>(
            {{ring, {0, 1, 2, 3}, {2, 3}, 2}, {make_topology("kautz:2,2"), {0, 1, 2, 5}, {2, 5}, 1}}));
    const auto processors = static_cast<std::uint32_t>(network.processor_count());
    const Problem problem{network, many_to_many_broadcast({processors}, senders, receivers), all_port,
                          Switching::wormhole, slack};
    const auto optimum = test::shortest_schedule(problem, 10'000'000);
    REQUIRE(optimum);
    Finds finds;
    check_engines(problem, 1, optimum, finds);
    const PortfolioResult result = find_schedule(problem);
    REQUIRE(result.is_optimal);
    CHECK(result.schedule->steps.size() == *optimum);
    CHECK(validate(*result.schedule, problem).empty());
}

} // namespace nocturne::small_problems_test
