#include "models/topology/make_topology.hpp"
#include "schedules/problem/problem.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::problem_test {

using Catch::Matchers::Message;

TEST_CASE("a problem takes the port model of its topology", "[bounds][problem]")
{
    CHECK(make_problem(make_topology("mesh:4x4"), alltoall({16})).ports == all_port);
    CHECK(make_problem(make_topology("omega:8"), alltoall({8})).ports == one_port);
}

TEST_CASE("a problem that cannot be posed is refused", "[bounds][problem]")
{
    CHECK_THROWS_WITH(make_problem(make_topology("mesh:4x4"), alltoall({8})),
                      "alltoall (AAS, all-to-all scatter) for 8 processors, but mesh:4x4 has 16");
    const Topology one_way = test::direct_network("one way", {"a", "b"}, {{0, 1}});
    CHECK_NOTHROW(make_problem(one_way, scatter({2}, 0)));
    CHECK_THROWS_WITH(make_problem(one_way, scatter({2}, 1)),
                      "one way: processor a cannot be reached from b");
}

TEST_CASE("a problem says what it is", "[bounds][problem]")
{
    Problem problem = make_problem(make_topology("mesh:4x4"), alltoall({16}));
    CHECK(describe(problem) == "AAS on mesh:4x4, all-port, wormhole");
    problem.slack = 0;
    CHECK(describe(problem) == "AAS on mesh:4x4, all-port, wormhole, minimal paths");
    problem.slack = 2;
    problem.ports = one_port;
    CHECK(describe(problem) == "AAS on mesh:4x4, 1-port, wormhole, slack 2");
}

TEST_CASE("what only schedules in chunks can do is no problem of whole messages", "[problem]")
{
    const Topology topology = make_topology("ring:4");
    const std::vector<std::uint32_t> weights{1, 2, 1, 1};
    for (const Collective& collective :
         {allreduce({4, 1, {0, 1, 3}}), reduce({4, 1, {0, 1}}, 0), allgather({4}, weights)})
        CHECK_THROWS_AS(make_problem(topology, collective), std::invalid_argument);
    for (const Collective& collective :
         {alltoall({4}), broadcast({4}, 1), multicast({4}, 0, {1, 2}), allreduce({4}), scan({4}),
          reduce({4}, 0), alltoall({4, 2}), alltoall({4, 1, {0, 1, 3}}), broadcast({4, 1, {0, 1}}, 0)})
        CHECK_NOTHROW(make_problem(topology, collective));
}

} // namespace nocturne::problem_test
