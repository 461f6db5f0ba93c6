#include "models/topology/make_topology.hpp"
#include "schedules/scatter/message_paths.hpp"
#include "tests/catch.hpp"

namespace nocturne::candidate_paths_test {

TEST_CASE("candidates of every message lead from its origin to its receiver", "[scatter][paths]")
{
    const Problem problem = make_problem(make_topology("kautz:3,2"), alltoall({12}));
    const Candidates candidates = candidate_paths(problem, {.slack = 1, .most_paths = 3});
    REQUIRE(candidates.size() == problem.collective.messages().size());
    for (MessageId id = 0; id < candidates.size(); ++id) {
        const Message& message = problem.collective.messages()[id];
        CHECK(candidates[id].size() >= 1);
        CHECK(candidates[id].size() <= 3);
        for (const Path& path : candidates[id])
            CHECK(connects(problem.topology, message.origin, message.receivers.front(), path));
    }
}

TEST_CASE("a ring at its bound leaves no way for detours, with a step more it does", "[scatter][paths]")
{
    // 7 processors, distances 1 + 2 + 3 each way: 7 x 12 hops on 14 channels.
    const Problem problem = make_problem(make_topology("ring:7"), alltoall({7}));
    const FlowSolution flow = solve_flow(problem);
    REQUIRE(flow.steps() == 6);
    const Candidates all = candidate_paths(problem, {.slack = 1});
    const auto count = [](const Candidates& candidates) {
        std::size_t paths = 0;
        for (const auto& of_message : candidates)
            paths += of_message.size();
        return paths;
    };
    CHECK(count(all) == 42 + 14); // only three hops have an alternative of one more
    CHECK(count(usable_paths(problem, all, flow, 6)) == 42);
    CHECK(count(usable_paths(problem, all, flow, 7)) == 42 + 14);
    CHECK(count(usable_paths(problem, all, flow, 5)) == 0);
}

TEST_CASE("broadcasts have no candidate paths", "[scatter][paths]")
{
    const Problem problem = make_problem(make_topology("ring:5"), allgather({5}));
    CHECK_THROWS_AS(candidate_paths(problem, {}), std::invalid_argument);
}

} // namespace nocturne::candidate_paths_test
