#include "models/routing/distances.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/broadcast/local_broadcast.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/broadcast/random_broadcasts.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace nocturne::local_broadcast_test {

using nocturne::test::NetworkSize;
using nocturne::test::random_broadcast;

namespace {

struct Cell {
    std::string network;
    std::vector<std::string> faults;
    PortModel ports;
    unsigned steps;
};

Problem all_to_all(const Cell& cell, Switching switching = Switching::wormhole)
{
    Topology topology = with_faults(make_topology(cell.network), cell.faults);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return {std::move(topology), allgather({processors}), cell.ports, switching};
}

/// First text of what the validator finds, or nothing.
std::string defect(const Problem& problem, const SearchResult& result, unsigned steps)
{
    if (!result.schedule)
        return "no schedule";
    if (result.schedule->steps.size() > steps)
        return "too many steps";
    const auto violations = validate(*result.schedule, problem.topology);
    return violations.empty() ? std::string() : violations.front().text;
}

bool keeps_slack(const Problem& problem, const Schedule& schedule)
{
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            const auto ends = endpoints(problem.topology, transfer.source, transfer.destination);
            if (problem.slack &&
                transfer.path->size() >
                    distances_from(problem.topology, ends.source)[ends.destination] + *problem.slack)
                return false;
        }
    return true;
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

TEST_CASE("all-to-all broadcasts of the papers' networks meet their bounds", "[broadcast][local_broadcast]")
{
    const auto cell = GENERATE(values<Cell>({
        {"mesh:4x4", {}, all_port, 8},
        {"mesh:4x4", {}, one_port, 15},
        {"mesh:4x4", {"link:01-02"}, all_port, 8},
        {"mesh:4x4", {"link:02-03"}, all_port, 15},
        {"mesh:4x4", {"node:11"}, all_port, 7},
        {"mesh:4x4", {"node:01"}, all_port, 14},
        {"mesh:5x5", {}, one_port, 24}, // no ring of neighbours: paths pass processors
        {"mesh:8x8", {}, all_port, 32},
        {"coated_mesh:4x4", {}, one_port, 15},
        {"octagon:8", {}, all_port, 3},
        {"fat_octagon:8", {}, one_port, 15},
        {"kautz:3,2", {}, all_port, 4},
        {"kautz:3,2", {"channel:01-10"}, all_port, 6},
        {"hypercube:3", {}, all_port, 3},
        {"hypercube:4", {}, all_port, 4},
        {"hypercube:5", {}, all_port, 7},
        {"omega:16", {}, one_port, 15},
        {"butterfly:16", {}, one_port, 15},
        {"clos:3,3,4", {}, one_port, 11},
        {"fattree:16", {}, one_port, 15},
        {"btree:8", {}, one_port, 7},
        {"fbtree:15", {}, all_port, 14},
        {"petersen", {}, all_port, 3},
    }));
    CAPTURE(cell.network, cell.faults);
    const Problem problem = all_to_all(cell);
    const SearchResult result = search_broadcast(problem, cell.steps, {.effort = 2'000'000});
    CHECK(result.outcome == Outcome::found);
    CHECK(result.unscheduled == 0);
    CHECK(defect(problem, result, cell.steps) == "");
}

TEST_CASE("store-and-forward broadcasts meet their bounds", "[broadcast][local_broadcast]")
{
    const auto cell = GENERATE(values<Cell>({
        {"hypercube:3", {}, all_port, 3},
        {"hypercube:4", {}, all_port, 4},
        {"hypercube:4", {}, one_port, 15},
        {"mesh:4x4", {}, all_port, 8},
        {"ring:9", {}, all_port, 4}, // no hop may wait
    }));
    CAPTURE(cell.network);
    const Problem problem = all_to_all(cell, Switching::store_and_forward);
    const SearchResult result = search_broadcast(problem, cell.steps, {.effort = 2'000'000});
    CHECK(defect(problem, result, cell.steps) == "");
}

TEST_CASE("many-to-many broadcasts on the fat octagon meet their bounds", "[broadcast][local_broadcast]")
{
    using Processors = std::vector<std::uint32_t>;
    const Processors even{0, 2, 4, 6, 8, 10, 12, 14};
    const Processors odd{1, 3, 5, 7, 9, 11, 13, 15};
    Processors all = even;
    all.insert(all.end(), odd.begin(), odd.end());
    const auto [receivers, steps] =
        GENERATE_REF(values<std::pair<Processors, unsigned>>({{even, 7}, {odd, 8}, {all, 8}}));
    const Problem problem =
        make_problem(make_topology("fat_octagon:8"), many_to_many_broadcast({16}, even, receivers));
    CHECK(defect(problem, search_broadcast(problem, steps, {.effort = 1'000'000}), steps) == "");
}

TEST_CASE("processors that are owed nothing pass messages on", "[broadcast][local_broadcast]")
{
    // From one end of a line to the other, one hop a step: nobody between is a receiver.
    Problem problem = make_problem(make_topology("mesh:1x6"), many_to_many_broadcast({6}, {0, 1}, {5}));
    problem.switching = Switching::store_and_forward;
    CHECK(defect(problem, search_broadcast(problem, 5, {.effort = 100'000}), 5) == "");
    CHECK(search_broadcast(problem, 4, {.effort = 100'000}).outcome == Outcome::gave_up);
}

TEST_CASE("too few steps end cleanly", "[broadcast][local_broadcast]")
{
    const Problem problem = all_to_all({"mesh:4x4", {}, all_port, 0});
    const SearchResult no_ports = search_broadcast(problem, 7, {});
    CHECK(no_ports.outcome == Outcome::gave_up); // without a limit of effort: there are not enough ports
    CHECK(no_ports.unscheduled == 240);
}

TEST_CASE("every broadcast found on random networks is valid", "[broadcast][local_broadcast]")
{
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Problem problem = random_broadcast(
            seed, NetworkSize{2 + static_cast<unsigned>(seed % 9), static_cast<unsigned>(seed % 5)});
        CAPTURE(seed, describe(problem));
        const unsigned steps = plenty(problem);
        const SearchResult ample = search_broadcast(problem, steps, {.seed = seed, .effort = 20'000});
        REQUIRE(defect(problem, ample, steps) == "");
        REQUIRE(keeps_slack(problem, *ample.schedule));
        // As far down as it gets.
        for (auto fewer = static_cast<unsigned>(ample.schedule->steps.size()) - 1; fewer > 0; --fewer) {
            const SearchResult tight = search_broadcast(problem, fewer, {.seed = seed, .effort = 1'000});
            if (tight.outcome != Outcome::found)
                break;
            REQUIRE(defect(problem, tight, fewer) == "");
            REQUIRE(keeps_slack(problem, *tight.schedule));
        }
    }
}

TEST_CASE("the same seed gives the same broadcast", "[broadcast][local_broadcast]")
{
    const Problem problem = all_to_all({"mesh:4x4", {}, one_port, 15});
    const SearchResult first = search_broadcast(problem, 15, {.seed = 7, .effort = 1'000'000});
    const SearchResult again = search_broadcast(problem, 15, {.seed = 7, .effort = 1'000'000});
    const SearchResult other = search_broadcast(problem, 15, {.seed = 8, .effort = 1'000'000});
    REQUIRE(first.schedule);
    CHECK(first.schedule == again.schedule);
    CHECK(first.tried == again.tried);
    CHECK(first.schedule != other.schedule);
}

TEST_CASE("a search for broadcasts stops when it is told to", "[broadcast][local_broadcast]")
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

TEST_CASE("a scatter is no broadcast", "[broadcast][local_broadcast]")
{
    const Problem problem = make_problem(make_topology("mesh:2x2"), alltoall({4}));
    CHECK_FALSE(suits_broadcast(problem));
    CHECK_THROWS_AS(search_broadcast(problem, 4, {}), std::invalid_argument);
}

} // namespace nocturne::local_broadcast_test
