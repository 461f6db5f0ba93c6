#include "models/topology/make_topology.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/satisfiability/encoders.hpp"
#include "schedules/satisfiability/encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/satisfiability/small_problems.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne::encoding_test {

using namespace nocturne::test;

using nocturne::test::random_small_problem;

TEST_CASE("between processors of a router go as many messages as their ports allow", "[bounds][encoding]")
{
    // p2 sends p1 its own message and that of p0 in one step: no channel is in the way.
    Topology topology("cut");
    for (int i = 0; i < 3; ++i)
        topology.add_router();
    topology.add_channel(1, 2);
    topology.add_channel(2, 0);
    topology.add_processor(0, 0);
    topology.add_processor(0, 1, "p1");
    topology.add_processor(1, 0, "p2");
    const Problem problem{topology, alltoall({3}), PortModel{2}, Switching::store_and_forward};
    CHECK(solve(encode(problem, 1).formula, {}).verdict == Verdict::unsatisfiable);
    CHECK(solve(encode(problem, 2).formula, {}).verdict == Verdict::satisfiable);
}

TEST_CASE("flows over channels say the same as lists of paths", "[bounds][encoding]")
{
    for (std::uint64_t seed = 500; seed < 700; ++seed) {
        Problem problem = random_small_problem(seed);
        problem.switching = Switching::wormhole;
        problem.slack = seed % 2 == 0 ? 0u : 100u;
        if (!forbids_relays(problem))
            continue;
        for (unsigned steps = 1; steps <= 3; ++steps) {
            EncodingPlan plan = plan_direct(problem, steps);
            REQUIRE_FALSE(plan.has_flows); // there are few paths
            const Encoding listed = encode_direct(problem, steps, std::move(plan));
            const Encoding flowing = encode_direct(problem, steps, EncodingPlan{.has_flows = true});
            const Solution solution = solve(flowing.formula, {});
            INFO("seed " << seed << ": " << describe(problem) << " in " << steps);
            REQUIRE(solution.verdict == solve(listed.formula, {}).verdict);
            if (solution.verdict == Verdict::unsatisfiable)
                continue;
            const std::vector<TimedTransfer> transfers = flowing.transfers(solution.model);
            CHECK(transfers.size() == problem.collective.messages().size());
            for (const TimedTransfer& transfer : transfers)
                CHECK(connects(problem.topology, transfer.source, transfer.destination, transfer.path));
        }
    }
}

TEST_CASE("messages with one receiver may be relayed, unless there is a slack", "[bounds][encoding]")
{
    // Three messages two hops round a one-way ring: straight, any two of them share a channel.
    Topology ring("ring of 3, one candidate");
    for (int i = 0; i < 3; ++i)
        ring.add_processor(ring.add_router());
    for (RouterId i = 0; i < 3; ++i)
        ring.add_channel(i, (i + 1) % 3);
    Problem problem = make_problem(ring, permutation({2, 0, 1}));
    const auto verdict = [&](unsigned steps) { return solve(encode(problem, steps).formula, {}).verdict; };
    CHECK(verdict(1) == Verdict::unsatisfiable);
    CHECK(verdict(2) == Verdict::satisfiable);
    problem.slack = GENERATE(0u, 1u, 100u);
    CHECK(verdict(2) == Verdict::unsatisfiable);
    CHECK(verdict(3) == Verdict::satisfiable);
}

TEST_CASE("where everything goes straight, steps are numbered as messages first need them",
          "[bounds][encoding]")
{
    Problem problem = make_problem(make_topology("mesh:3x3"), scatter({9}, 4));
    problem.ports = one_port;
    problem.slack = 0;
    const Encoding encoding = encode(problem, 8);
    const std::vector<TimedTransfer> transfers = encoding.transfers(solve(encoding.formula, {}).model);
    REQUIRE(transfers.size() == 8);
    for (unsigned step = 0; step < 8; ++step) {
        CHECK(transfers[step].step == step);
        CHECK(transfers[step].message == step);
    }
}

TEST_CASE("the estimate is near the size of the formula", "[bounds][encoding]")
{
    struct Case {
        const char* topology;
        Collective collective;
        unsigned steps;
        std::optional<unsigned> slack;
        Switching switching = Switching::wormhole;
    };
    const auto c =
        GENERATE(Case{"mesh:4x4", alltoall({16}), 16, 0u}, Case{"mesh:4x4", alltoall({16}), 16, 100u},
                 Case{"mesh:4x4", allgather({16}), 8, std::nullopt},
                 Case{"mesh:4x4", allgather({16}), 8, std::nullopt, Switching::store_and_forward},
                 Case{"mesh:3x3", alltoall({9}), 6, 1u}, Case{"omega:8", allgather({8}), 7, std::nullopt},
                 Case{"mesh:4x4", broadcast({16}, 0), 3, std::nullopt});
    Problem problem = make_problem(make_topology(c.topology), c.collective);
    problem.slack = c.slack;
    problem.switching = c.switching;
    const auto literals = static_cast<double>(encode(problem, c.steps).formula.literal_count());
    const auto estimated = static_cast<double>(estimated_literals(problem, c.steps));
    INFO(describe(problem) << ": " << literals << ", estimated " << estimated);
    CHECK(estimated < 2.5 * literals);
    CHECK(literals < 2.5 * estimated);
}

TEST_CASE("what is too large is refused before it is made", "[bounds][encoding]")
{
    Problem problem = make_problem(make_topology("mesh:16x16"), alltoall({256}));
    CHECK(estimated_literals(problem, 1000) == too_large);
    CHECK_THROWS_AS(encode(problem, 1000), std::invalid_argument);
    problem.slack = 2;
    CHECK(estimated_literals(problem, 1000) == too_large);
    CHECK_THROWS_AS(encode(problem, 0), std::invalid_argument);
    CHECK_THROWS_AS(estimated_literals(problem, 0), std::invalid_argument);
}

} // namespace nocturne::encoding_test
