#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/construct.hpp"
#include "schedules/portfolio/engines.hpp"
#include "tests/catch.hpp"

namespace nocturne::construct_test {

namespace {

Problem problem_on(const char* network, CollectiveKind kind)
{
    Topology topology = make_topology(network);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    Participants participants;
    if (kind == CollectiveKind::scatter || kind == CollectiveKind::gather)
        participants.source = 1;
    return make_problem(std::move(topology), make_collective(kind, processors, participants));
}

Outcome outcome(const char* engine, const Problem& problem, unsigned steps)
{
    return search(find_engine(engine), problem, steps, {}).outcome;
}

} // namespace

TEST_CASE("the engine construct gives what its constructions can, and no more", "[portfolio][construct]")
{
    using enum CollectiveKind;
    const auto [network, kind, steps] =
        GENERATE(table<const char*, CollectiveKind, unsigned>({{"omega:16", alltoall, 15},
                                                               {"btree:32", allgather, 31},
                                                               {"torus:8x8", alltoall, 64},
                                                               {"hypercube:6", allgather, 11}}));
    const Problem problem = problem_on(network, kind);
    CHECK(outcome("construct", problem, steps) == Outcome::found);
    CHECK(outcome("construct", problem, steps + 9) == Outcome::found);
    CHECK(outcome("construct", problem, steps - 1) == Outcome::gave_up);
}

TEST_CASE("the engine flow knows the least number of steps", "[portfolio][flow]")
{
    const auto kind = GENERATE(CollectiveKind::scatter, CollectiveKind::gather);
    const auto [network, steps] = GENERATE(table<const char*, unsigned>(
        {{"fbtree:63", 32}, {"hypercube:5", 7}, {"mesh:4x4", 5}, {"octagon:8", 3}, {"omega:16", 15}}));
    const Problem problem = problem_on(network, kind);
    CHECK(outcome("flow", problem, steps) == Outcome::found);
    CHECK(outcome("flow", problem, steps - 1) == Outcome::impossible);
}

TEST_CASE("with minimal paths the engine flow says impossible only where no relay could help",
          "[portfolio][flow]")
{
    Problem problem = problem_on("mesh:4x4", CollectiveKind::scatter);
    problem.slack = 0;
    CHECK(outcome("flow", problem, 6) == Outcome::found);
    CHECK(outcome("flow", problem, 5) == Outcome::gave_up);
    CHECK(outcome("flow", problem, 4) == Outcome::impossible);
}

TEST_CASE("the engine flow does not say impossible where a relay leads round the cut", "[portfolio][flow]")
{
    // One channel leads to the receivers; the relay is ejected before it and injects behind it.
    Topology topology("round the cut");
    for (int i = 0; i < 3; ++i)
        topology.add_router();
    topology.add_channel(0, 1);
    topology.add_channel(2, 1);
    topology.add_processor(0, 0, "sender");
    topology.add_processor(0, 2, "not reached");
    topology.add_processor(2, 0, "relay");
    for (const char* const name : {"a", "b", "c"})
        topology.add_processor(1, 1, name);
    const Problem problem{topology, many_to_many_scatter({6}, {0}, {3, 4, 5}), PortModel{2}};
    CHECK(outcome("exact", problem, 2) == Outcome::found);
    CHECK(outcome("flow", problem, 2) == Outcome::gave_up);
    CHECK(outcome("flow", problem, 3) == Outcome::found);
    CHECK(outcome("flow", problem, 1) == Outcome::impossible);
}

TEST_CASE("the engine flow is for one sender or one receiver", "[portfolio][flow]")
{
    const Problem problem = problem_on("octagon:8", CollectiveKind::alltoall);
    CHECK_FALSE(find_engine("flow").suits(problem));
    CHECK_THROWS_AS(search(find_engine("flow"), problem, 4, {}), std::invalid_argument);
}

} // namespace nocturne::construct_test
