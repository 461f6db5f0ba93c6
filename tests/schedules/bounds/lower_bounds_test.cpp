// Lower bounds against schedules: never above the shortest one.
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace nocturne::lower_bounds_test {

using nocturne::test::random_problem;
using nocturne::test::Traffic;

namespace {

/// Steps of the bound of that name, or 0 if there is none.
unsigned steps_of(const std::string& name, const Problem& problem)
{
    const auto steps = [](const std::optional<Bound>& bound) { return bound ? bound->steps : 0; };
    if (name == "flow")
        return solve_flow(problem).steps();
    if (name == "flow without time")
        return steps(flow_bound(problem, std::chrono::steady_clock::time_point::min()));
    return name == "growth"     ? steps(growth_bound(problem))
           : name == "distance" ? steps(distance_bound(problem))
           : name == "port"     ? port_bound(problem).steps
                                : lower_bound(problem).steps;
}

} // namespace

TEST_CASE("no bound is above the shortest schedule of a tiny problem", "[bounds][lower_bounds]")
{
    const auto traffic = GENERATE(Traffic::scatter, Traffic::broadcast);
    unsigned solved = 0;
    unsigned reached = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Problem problem = random_problem(seed, 4, traffic);
        if (problem.collective.messages().size() > 4)
            continue;
        const auto steps = test::shortest_schedule(problem, 5'000);
        if (!steps)
            continue;
        ++solved;
        CAPTURE(seed, describe(problem), *steps);
        for (const Bound& bound : lower_bounds(problem)) {
            CAPTURE(bound.reason);
            CHECK(bound.steps <= *steps);
        }
        reached += lower_bound(problem).steps == *steps ? 1 : 0;
    }
    CHECK(solved > 100);
    CHECK(reached > solved * 3 / 4); // and they are worth something
}

TEST_CASE("bounds are as known", "[bounds][lower_bounds]")
{
    for (const auto& [place, group, problem, expected] : test::problem_rows("schedules/bounds/steps.txt")) {
        INFO(place << ", " << group << ": " << describe(problem));
        CHECK(steps_of(group, problem) == std::stoul(expected));
    }
    const Problem ring = test::problem_in_words("ring:9", "broadcast hops");
    CHECK(distance_bound(ring)->reason == "4 is 4 hops from 0, one a step");
    CHECK_FALSE(distance_bound(test::problem_in_words("ring:9", "broadcast")));
    CHECK_FALSE(growth_bound(test::problem_in_words("mesh:4x4", "alltoall")));
}

TEST_CASE("bounds come largest first, and there is always one", "[bounds][lower_bounds]")
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Problem problem =
            random_problem(seed, 8, seed % 2 == 0 ? Traffic::scatter : Traffic::broadcast);
        const auto bounds = lower_bounds(problem);
        REQUIRE(!bounds.empty());
        CHECK(bounds.back().steps >= 1);
        CHECK(std::is_sorted(bounds.begin(), bounds.end(),
                             [](const Bound& a, const Bound& b) { return a.steps > b.steps; }));
        CHECK(lower_bound(problem) == bounds.front());
    }
}

TEST_CASE("a problem that cannot be posed has no bound", "[bounds][lower_bounds]")
{
    CHECK_THROWS_AS(lower_bounds({make_topology("mesh:4x4"), alltoall({8}), all_port}),
                    std::invalid_argument);
    Problem hub{make_topology("star:4"), alltoall({4}), all_port, Switching::store_and_forward};
    CHECK_THROWS_WITH(lower_bounds(hub),
                      "star:4: processor 1 cannot be reached from 0 by hops from processor to processor");
}

TEST_CASE("ports bound what one processor sends or receives", "[bounds][port]")
{
    const Bound aab = port_bound(make_problem(make_topology("omega:16"), allgather({16})));
    CHECK(aab.steps == 15);
    CHECK(aab.reason == "processor 0 must receive 15 messages, at most 1 a step");
    const Bound oas = port_bound(make_problem(make_topology("mesh:4x4"), scatter({16}, 5)));
    CHECK(oas.steps == 4);
    CHECK(oas.reason == "processor 11 must send 15 messages, at most 4 a step");
}

TEST_CASE("messages enter a corner through its channels", "[bounds][vertex_set]")
{
    const auto bound = vertex_set_bound(test::problem_in_words("mesh:4x4", "allgather fault=link:00-01"));
    REQUIRE(bound);
    CHECK(bound->steps == 15);
    CHECK(bound->reason == "15 messages must enter router 00 through 1 channel");
    CHECK(std::get<VertexSet>(bound->certificate) == VertexSet{{0}, Direction::entering});
}

TEST_CASE("a part of a network that has no message cannot receive at all its ports in the first step",
          "[bounds][vertex_set]")
{
    // Eight senders at one half of the routers, eight receivers at the other, six channels between them.
    const auto broadcast_of = [](std::vector<std::uint32_t> senders) {
        Problem problem =
            make_problem(make_topology("fat_octagon:8"),
                         many_to_many_broadcast({16}, std::move(senders), {8, 9, 10, 11, 12, 13, 14, 15}));
        problem.ports = one_port;
        return problem;
    };
    const Problem problem = broadcast_of({0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(port_bound(problem).steps == 8);
    const Bound bound = lower_bound(problem);
    CHECK(bound.steps == 9);
    CHECK(bound.reason == "64 messages are owed at routers 4, 5, 6, 7, which have none: at most 8 a step, "
                          "and 6 in the first, by 6 channels");
    CHECK(std::get<VertexSet>(bound.certificate) == VertexSet{{4, 5, 6, 7}, Direction::entering});
    CHECK_FALSE(refute(problem, bound));
    Bound more = bound;
    ++more.steps;
    CHECK(refute(problem, more));
    // A sender among them could serve the others at once.
    CHECK(refute(broadcast_of({0, 1, 2, 3, 4, 5, 6, 8}), bound));
}

TEST_CASE("messages enter half of a network through a bridge, which no port shows", "[bounds][vertex_set]")
{
    // Two complete networks of 6, joined by one link.
    Topology topology = test::direct_network("dumbbell", 12);
    for (RouterId half : {0u, 6u})
        for (RouterId a = half; a < half + 6; ++a)
            for (RouterId b = half; b < a; ++b)
                topology.add_link(a, b);
    topology.add_link(0, 6);
    const Problem problem = make_problem(topology, allgather({12}));
    CHECK(port_bound(problem).steps == 3);
    CHECK(vertex_set_bound(problem)->steps == 6);
    CHECK(kind_of(lower_bound(problem)) == "vertex-set");
}

} // namespace nocturne::lower_bounds_test
