#include "models/routing/distances.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <chrono>

namespace nocturne::flow_bound_test {

using nocturne::test::problem_in_words;
using nocturne::test::random_problem;
using nocturne::test::Traffic;

namespace {

/// ceil(hops that all messages need / channels)
std::uint64_t distance_sum_bound(const Problem& problem)
{
    const Topology& topology = problem.topology;
    std::uint64_t hops = 0;
    for (const Message& message : problem.collective.messages())
        hops +=
            distances_from(topology, topology.processor(message.origin)
                                         .injection)[topology.processor(message.receivers.front()).ejection];
    return (hops + topology.channel_count() - 1) / topology.channel_count();
}

bool sends_where_it_receives(const Topology& topology)
{
    return std::all_of(topology.processors().begin(), topology.processors().end(),
                       [](const Processor& p) { return p.injection == p.ejection; });
}

} // namespace

TEST_CASE("the flow bound is at least ports and the sum of distances, at most one message hop a step",
          "[bounds][flow]")
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = random_problem(seed, 9, Traffic::scatter);
        const FlowSolution solution = solve_flow(problem);
        CAPTURE(seed, describe(problem));
        CHECK(solution.steps() >= port_bound(problem).steps);
        // Where a processor is ejected elsewhere than it injects, relays may shorten walks.
        if (sends_where_it_receives(problem.topology))
            CHECK(solution.steps() >= distance_sum_bound(problem));
        CHECK(solution.steps() <= problem.collective.messages().size() * problem.topology.router_count());
    }
}

TEST_CASE("flow bounds are for messages with one receiver", "[bounds][flow]")
{
    const Problem broadcast = make_problem(make_topology("mesh:4x4"), allgather({16}));
    CHECK_FALSE(flow_bound(broadcast));
    CHECK_THROWS_WITH(solve_flow(broadcast),
                      "AAB on mesh:4x4, all-port, wormhole: a flow bound is for messages with one receiver");
}

TEST_CASE("a flow bound says what it is made of", "[bounds][flow]")
{
    CHECK(flow_bound(problem_in_words("hypercube:3", "alltoall"))->reason ==
          "the messages need 96 hops in all, and a step offers 24");
    CHECK(flow_bound(problem_in_words("mesh:4x4", "alltoall fault=link:01-02"))->reason ==
          "the messages need 128 hops over 6 of the 46 channels, and a step offers 6");
}

TEST_CASE("a flow bound without time is what is seen at once", "[bounds][flow]")
{
    constexpr auto over = std::chrono::steady_clock::time_point::min();
    Topology one_router("one router");
    one_router.add_router();
    for (unsigned i = 0; i < 3; ++i)
        one_router.add_processor(0, 0);
    one_router.set_default_ports(one_port);
    const Problem problem = make_problem(std::move(one_router), alltoall({3}));
    CHECK(flow_bound(problem, over)->steps == 2); // the ports, as there are no channels
}

TEST_CASE("flow bounds are the same each time", "[bounds][flow]")
{
    const Problem problem = random_problem(7, 12, Traffic::scatter);
    CHECK(solve_flow(problem).lengths == solve_flow(problem).lengths);
}

} // namespace nocturne::flow_bound_test
