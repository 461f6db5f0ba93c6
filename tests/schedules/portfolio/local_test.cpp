#include "models/routing/distances.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/engines.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::local_test {

using nocturne::test::random_problem;
using nocturne::test::Traffic;

namespace {

SearchResult search_local(const Problem& problem, unsigned steps, const SearchControl& control)
{
    return search(find_engine("local"), problem, steps, control); // judged by the validator
}

struct Cell {
    std::string network;
    std::vector<std::string> faults;
    PortModel ports;
    unsigned steps;
    std::optional<unsigned> slack = std::nullopt;
};

Topology network_of(const Cell& cell)
{
    return with_faults(make_topology(cell.network), cell.faults);
}

bool keeps_slack(const Problem& problem, const Schedule& schedule)
{
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            const auto ends = endpoints(problem.topology, transfer.source, transfer.destination);
            const auto minimal = distances_from(problem.topology, ends.source)[ends.destination];
            if (problem.slack && transfer.path->size() > minimal + *problem.slack)
                return false;
        }
    return true;
}

} // namespace

TEST_CASE("all-to-all scatters of the papers' networks meet their bounds", "[portfolio][local]")
{
    const auto cell = GENERATE(values<Cell>({
        {"omega:8", {}, one_port, 7},
        {"omega:16", {}, one_port, 15},
        {"butterfly:16", {}, one_port, 15},
        {"clos:3,3,4", {}, one_port, 11},
        {"clos:4,4,4", {}, one_port, 15},
        {"btree:8", {}, one_port, 16},
        {"btree:32", {}, one_port, 256},
        {"fbtree:7", {}, all_port, 12},
        {"fbtree:31", {}, all_port, 240},
        {"fattree:8", {}, one_port, 7},
        {"fattree:16", {}, one_port, 15},
        {"mesh:4x4", {}, all_port, 16},
        {"mesh:4x4", {}, one_port, 16, 0},
        {"coated_mesh:4x4", {}, one_port, 16, 0},
        {"octagon:8", {}, all_port, 4},
        {"fat_octagon:8", {}, all_port, 16},
        {"kautz:3,2", {}, all_port, 7},
        {"kautz:3,2", {"channel:10-02"}, all_port, 8, 1},
        {"kautz:3,2", {"channel:10-02"}, all_port, 9, 0},
        {"mesh:4x4", {"link:00-01"}, all_port, 16},
        {"mesh:4x4", {"link:01-02"}, all_port, 22},
        {"mesh:4x4", {"node:0"}, all_port, 14},
        {"mesh:4x4", {"node:5"}, all_port, 19},
        {"hypercube:3", {}, all_port, 4},
        {"hypercube:4", {}, all_port, 8},
        {"petersen", {}, all_port, 5},
        {"torus:4x4", {}, all_port, 8},
    }));
    CAPTURE(cell.network, cell.faults);
    Topology topology = network_of(cell);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const Problem problem{std::move(topology), alltoall({processors}), cell.ports, Switching::wormhole,
                          cell.slack};
    const SearchResult result = search_local(problem, cell.steps, {.effort = 200'000});
    REQUIRE(result.outcome == Outcome::found);
    CHECK(result.unscheduled == 0);
    CHECK(keeps_slack(problem, *result.schedule));
}

TEST_CASE("scatters among some processors of the fat octagon meet their bounds", "[portfolio][local]")
{
    std::vector<std::uint32_t> even;
    std::vector<std::uint32_t> odd;
    std::vector<std::uint32_t> all;
    for (std::uint32_t id = 0; id < 16; ++id) {
        all.push_back(id);
        (id % 2 == 0 ? even : odd).push_back(id);
    }
    const auto steps_of = [&](const auto& senders, const auto& receivers, unsigned steps) {
        const Problem problem =
            make_problem(make_topology("fat_octagon:8"), many_to_many_scatter({16}, senders, receivers));
        return search_local(problem, steps, {.effort = 100'000}).outcome == Outcome::found;
    };
    CHECK(steps_of(all, all, 16));
    CHECK(steps_of(even, even, 7));
    CHECK(steps_of(even, odd, 8));
    CHECK(steps_of(even, all, 15));
}

TEST_CASE("detours save a step of a scatter from the boundary of a mesh", "[portfolio][local]")
{
    Problem problem = make_problem(make_topology("mesh:4x4"), scatter({16}, 1));
    problem.slack = 2;
    CHECK(search_local(problem, 5, {.effort = 50'000}).outcome == Outcome::found);
    problem.slack = 0;
    CHECK(search_local(problem, 6, {.effort = 50'000}).outcome == Outcome::found);
    CHECK(search_local(problem, 5, {.effort = 50'000}).outcome == Outcome::gave_up);
}

TEST_CASE("random scatters: what is found is valid and no longer than asked, bounds are not beaten",
          "[portfolio][local]")
{
    unsigned met = 0;
    const unsigned seeds = 1000;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Problem problem = random_problem(seed, 2 + static_cast<unsigned>(seed % 7), Traffic::scatter);
        CAPTURE(seed, describe(problem));
        const unsigned bound = lower_bound(problem).steps;
        const SearchResult at_bound = search_local(problem, bound, {.effort = 3000});
        met += at_bound.outcome == Outcome::found ? 1 : 0;
        if (at_bound.schedule)
            REQUIRE(keeps_slack(problem, *at_bound.schedule));
        // Each message by itself, hop by hop.
        const std::size_t plenty = problem.collective.messages().size() * problem.topology.router_count();
        REQUIRE(search_local(problem, static_cast<unsigned>(plenty), {.effort = 3000}).outcome ==
                Outcome::found);
        if (bound > 1) {
            const SearchResult impossible = search_local(problem, bound - 1, {.effort = 500});
            REQUIRE(impossible.outcome == Outcome::gave_up);
            REQUIRE(impossible.tried <= 500);
            REQUIRE(impossible.unscheduled > 0);
        }
    }
    CHECK(met > seeds * 9 / 10);
}

TEST_CASE("with any channel broken a scatter takes a step or two more than its bound at most",
          "[portfolio][local]")
{
    const auto spec = GENERATE(as<std::string>{}, "kautz:3,2", "mesh:3x3", "octagon:8", "fat_octagon:8");
    const auto switching = GENERATE(Switching::wormhole, Switching::store_and_forward);
    const Topology whole = make_topology(spec);
    for (ChannelId broken = 0; broken < whole.channel_count(); ++broken) {
        CAPTURE(spec, describe_channel(whole, broken));
        Topology topology = with_faults(whole, Faults{{broken}, {}}, "a channel");
        const auto processors = static_cast<std::uint32_t>(topology.processor_count());
        Problem problem = make_problem(std::move(topology), alltoall({processors}));
        problem.switching = switching;
        CHECK(search_local(problem, lower_bound(problem).steps + 2, {.effort = 50'000}).outcome ==
              Outcome::found);
    }
}

TEST_CASE("store-and-forward scatters meet their bounds", "[portfolio][local]")
{
    const auto cell = GENERATE(values<Cell>({
        {"mesh:4x4", {}, all_port, 16},
        {"mesh:4x4", {"link:01-02"}, all_port, 22},
        {"hypercube:3", {}, all_port, 4},
        {"kautz:3,2", {}, all_port, 7},
        {"octagon:8", {}, all_port, 4},
        {"petersen", {}, all_port, 5},
        {"ring:7", {}, all_port, 6},
        {"ring:6", {}, one_port, 9}, // each hop is a transfer through one port
    }));
    CAPTURE(cell.network, cell.faults);
    Topology topology = network_of(cell);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const Problem problem{std::move(topology), alltoall({processors}), cell.ports,
                          Switching::store_and_forward};
    CHECK(search_local(problem, cell.steps, {.effort = 200'000}).outcome == Outcome::found);
    CHECK(search_local(problem, cell.steps - 1, {.effort = 200}).outcome == Outcome::gave_up);
}

TEST_CASE("the same seed gives the same schedule, another one another", "[portfolio][local]")
{
    const Problem problem = make_problem(make_topology("mesh:3x3"), alltoall({9}));
    const auto schedule = [&](std::uint64_t seed) {
        return search_local(problem, 8, {.seed = seed, .effort = 50'000}).schedule;
    };
    const auto first = schedule(1);
    REQUIRE(first);
    CHECK(first == schedule(1));
    CHECK(first != schedule(2));
}

TEST_CASE("a search ends when it is told to, and says how far it got", "[portfolio][local]")
{
    const Problem problem = make_problem(make_topology("mesh:4x4"), scatter({16}, 1));
    std::atomic<bool> stop = true;
    CHECK(search_local(problem, 4, {.end = {.stop = &stop}}).outcome == Outcome::gave_up);
    unsigned calls = 0;
    const auto count = [&](const SearchProgress& progress) {
        ++calls;
        CHECK(progress.engine == "local");
        CHECK(progress.unscheduled > 0);
    };
    search_local(problem, 5, {.effort = 300, .on_progress = count});
    CHECK(calls > 0);
}

} // namespace nocturne::local_test
