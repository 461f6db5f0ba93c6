#include "models/routing/distances.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/counting_bounds.hpp"
#include "schedules/bounds/flow_bound.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace nocturne::flow_bound_test {

using nocturne::test::random_problem;
using nocturne::test::Traffic;

namespace {

Problem scatter(const std::string& spec, const std::vector<std::string>& faults = {})
{
    Topology topology = with_faults(make_topology(spec), faults);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(std::move(topology), alltoall({processors}));
}

Problem scatter_from(const std::string& spec, ProcessorId source, std::optional<unsigned> slack)
{
    Problem problem = scatter(spec);
    problem.collective = nocturne::scatter({problem.collective.processors}, source);
    problem.slack = slack;
    return problem;
}

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

TEST_CASE("flow bounds of all-to-all scatters are as known", "[bounds][flow]")
{
    struct Case {
        std::string spec;
        unsigned steps;
    };
    const auto [spec, steps] = GENERATE(values<Case>({{"kautz:3,2", 7},
                                                      {"mesh:4x4", 16},
                                                      {"octagon:8", 4},
                                                      {"hypercube:3", 4},
                                                      {"hypercube:4", 8},
                                                      {"hypercube:5", 16},
                                                      {"torus:4x4", 8},
                                                      {"petersen", 5},
                                                      {"btree:8", 16},
                                                      {"btree:16", 64},
                                                      {"fbtree:7", 12},
                                                      {"fbtree:15", 56},
                                                      {"omega:16", 15},
                                                      {"clos:3,3,4", 11},
                                                      {"coated_mesh:4x4", 16},
                                                      {"fat_octagon:8", 16},
                                                      {"hypercube:7", 64},
                                                      {"torus:8x8", 64},
                                                      {"mesh:8x8", 128}}));
    CAPTURE(spec);
    CHECK(solve_flow(scatter(spec)).steps() == steps);
}

TEST_CASE("flow bounds of faulty networks are as known", "[bounds][flow]")
{
    struct Case {
        std::string fault;
        unsigned steps;
    };
    const auto [fault, steps] = GENERATE(values<Case>({{"link:01-02", 22},
                                                       {"link:11-21", 22},
                                                       {"link:00-01", 16},
                                                       {"node:00", 14},
                                                       {"node:11", 19},
                                                       {"node:01", 19}}));
    CAPTURE(fault);
    CHECK(solve_flow(scatter("mesh:4x4", {fault})).steps() == steps);
}

TEST_CASE("a torus without a link is halved where the link is missing", "[bounds][flow]")
{
    // The channels out of a half, one short of 2n, have to let (n^2/2)^2 messages through.
    const auto fault = GENERATE("link:00-01", "link:35-36", "link:52-62", "link:04-74");
    CAPTURE(fault);
    CHECK(solve_flow(scatter("torus:8x8", {fault})).steps() == 69);
}

TEST_CASE("a slack that forbids detours raises the flow bound", "[bounds][flow]")
{
    CHECK(solve_flow(scatter_from("mesh:4x4", 1, 0)).steps() == 6);
    CHECK(solve_flow(scatter_from("mesh:4x4", 1, 1)).steps() == 6); // the mesh is bipartite
    CHECK(solve_flow(scatter_from("mesh:4x4", 1, 2)).steps() == 5);
    CHECK(solve_flow(scatter_from("mesh:4x4", 1, std::nullopt)).steps() == 5);
    Problem kautz = scatter("kautz:3,2", {"channel:12-20"});
    kautz.slack = 0;
    CHECK(solve_flow(kautz).steps() == 9);
    kautz.slack = 1;
    CHECK(solve_flow(kautz).steps() == 8);
}

TEST_CASE("scatters between sets on the fat octagon", "[bounds][flow]")
{
    std::vector<ProcessorId> even, odd, all;
    for (ProcessorId id = 0; id < 16; ++id) {
        (id % 2 == 0 ? even : odd).push_back(id);
        all.push_back(id);
    }
    const auto steps = [&](const std::vector<ProcessorId>& senders,
                           const std::vector<ProcessorId>& receivers) {
        return solve_flow(make_problem(make_topology("fat_octagon:8"),
                                       many_to_many_scatter({16}, senders, receivers)))
            .steps();
    };
    CHECK(steps(all, all) == 16);
    CHECK(steps(even, even) == 7);
    CHECK(steps(even, odd) == 8);
    CHECK(steps(even, all) == 15);
}

TEST_CASE("one sender and one receiver are minimum cuts", "[bounds][flow]")
{
    const auto levels =
        GENERATE(table<ProcessorId, unsigned>({{31, 62}, {15, 60}, {7, 56}, {3, 48}, {1, 32}, {0, 31}}));
    const auto [vertex, steps] = levels;
    Problem problem = scatter_from("fbtree:63", vertex, std::nullopt);
    CHECK(solve_flow(problem).steps() == steps);
    problem.collective = gather({63}, vertex);
    CHECK(solve_flow(problem).steps() == steps);
}

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
    CHECK(flow_bound(scatter("hypercube:3"))->reason ==
          "the messages need 96 hops in all, and a step offers 24");
    CHECK(flow_bound(scatter("mesh:4x4", {"link:01-02"}))->reason ==
          "the messages need 128 hops over 6 of the 46 channels, and a step offers 6");
}

TEST_CASE("a flow bound without time is what is seen at once", "[bounds][flow]")
{
    constexpr auto over = std::chrono::steady_clock::time_point::min();
    CHECK(flow_bound(scatter("torus:8x8"), over)->steps == 64);
    CHECK(flow_bound(scatter("mesh:8x8"), over)->steps == 128);
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
