#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <limits>

namespace nocturne::check_bound_test {

using nocturne::test::random_problem;
using nocturne::test::Traffic;

namespace {

Problem mesh_scatter()
{
    return make_problem(make_topology("mesh:4x4"), alltoall({16}));
}

Bound flow_bound_of(const Problem& problem)
{
    const Bound bound = lower_bound(problem);
    REQUIRE(kind_of(bound) == "flow");
    return bound;
}

Bound vertex_bound(std::vector<RouterId> routers, unsigned steps, Direction direction = Direction::entering)
{
    return {steps, "", VertexSet{std::move(routers), direction}};
}

} // namespace

TEST_CASE("the checker confirms every bound, and not one step more", "[bounds][check]")
{
    const auto traffic = GENERATE(Traffic::scatter, Traffic::broadcast);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Problem problem = random_problem(seed, 9, traffic);
        CAPTURE(seed, describe(problem));
        for (Bound bound : lower_bounds(problem)) {
            CAPTURE(kind_of(bound), bound.reason);
            CHECK(refute(problem, bound).value_or("") == "");
            ++bound.steps;
            // The ports of a vertex set, which only the checker looks at, may prove more.
            if (!std::holds_alternative<VertexSet>(bound.certificate))
                CHECK(refute(problem, bound));
        }
    }
}

TEST_CASE("the checker confirms cuts, bisections and sums of distances that people write", "[bounds][check]")
{
    const Problem problem = mesh_scatter();
    ChannelLengths bisection{std::vector<std::int64_t>(48), std::vector<std::int64_t>(16),
                             std::vector<std::int64_t>(16)};
    for (ChannelId id = 0; id < 48; ++id)
        bisection.channels[id] =
            (problem.topology.channel(id).source < 8) != (problem.topology.channel(id).target < 8);
    CHECK_FALSE(refute(problem, {16, "", bisection}));
    ChannelLengths hops = bisection;
    hops.channels.assign(48, 1);
    CHECK_FALSE(refute(problem, {14, "", hops}));
    CHECK(refute(problem, {15, "", hops}) == "the flow bound is 14, not 15");
}

TEST_CASE("the checker refutes lengths that prove nothing", "[bounds][check]")
{
    const Problem problem = mesh_scatter();
    const Bound good = flow_bound_of(problem);
    const auto changed = [&](auto change) {
        Bound bound = good;
        change(bound, std::get<ChannelLengths>(bound.certificate));
        return refute(problem, bound).value_or("confirmed");
    };
    using Lengths = ChannelLengths;
    CHECK(changed([](Bound&, Lengths&) {}) == "confirmed");
    CHECK(changed([](Bound& b, Lengths&) { ++b.steps; }) == "the flow bound is 16, not 17");
    CHECK(changed([](Bound& b, Lengths&) { b.steps = std::numeric_limits<unsigned>::max(); }) ==
          "the flow bound is 16, not 4294967295");
    CHECK(changed([](Bound&, Lengths& l) { l.channels.pop_back(); }) ==
          "lengths of 47 channels, mesh:4x4 has 48");
    CHECK(changed([](Bound&, Lengths& l) { l.injections.push_back(0); }) ==
          "lengths of 17 injections, mesh:4x4 has 16");
    CHECK(changed([](Bound&, Lengths& l) { l.ejections.clear(); }) ==
          "lengths of 0 ejections, mesh:4x4 has 16");
    CHECK(changed([](Bound&, Lengths& l) { l.channels[3] = -1; }) ==
          "the length -1 of channels[3] is negative");
    CHECK(changed([](Bound&, Lengths& l) { l.channels.assign(48, 0); }) == "all lengths are 0");
    CHECK(changed([](Bound&, Lengths& l) { l.ejections[5] = 1000; }) == "the flow bound is 4, not 16");
}

TEST_CASE("the checker counts beyond 64 bits", "[bounds][check]")
{
    const Problem problem = mesh_scatter();
    Bound bound = flow_bound_of(problem);
    for (std::int64_t& length : std::get<ChannelLengths>(bound.certificate).channels)
        length *= std::numeric_limits<std::int64_t>::max();
    CHECK_FALSE(refute(problem, bound));
    ++bound.steps;
    CHECK(refute(problem, bound) == "the flow bound is 16, not 17");
}

TEST_CASE("lengths prove nothing of broadcasts", "[bounds][check]")
{
    const Problem problem = make_problem(make_topology("mesh:4x4"), allgather({16}));
    CHECK(refute(problem, flow_bound_of(mesh_scatter())) ==
          "lengths bound messages with one receiver, one of 00 has 15");
}

TEST_CASE("the checker judges vertex sets", "[bounds][check]")
{
    const Problem problem = make_problem(make_topology("mesh:4x4"), allgather({16}));
    CHECK_FALSE(refute(problem, vertex_bound({0}, 8)));
    CHECK(refute(problem, vertex_bound({0}, 9)) == "the vertex-set bound is 8, not 9");
    CHECK(refute(problem, vertex_bound({5}, 8)) == "the vertex-set bound is 4, not 8");
    CHECK_FALSE(refute(problem, vertex_bound({0, 1}, 5, Direction::entering)));
    CHECK_FALSE(refute(problem, vertex_bound({0}, 1, Direction::leaving)));
    CHECK(refute(problem, vertex_bound({0}, 2, Direction::leaving)));
    CHECK(refute(problem, vertex_bound({}, 1)) == "the vertex-set bound is 0, not 1");
    CHECK(refute(problem, vertex_bound({16}, 1)) == "mesh:4x4 has no router 16");
    const Problem omega = make_problem(make_topology("omega:8"), allgather({8}));
    CHECK(refute(omega, vertex_bound({0}, 1)) ==
          "processor 0 injects on one side of the set and is ejected on the other");
}

TEST_CASE("certificates of chunks bound no messages, and of messages only steps are bounded",
          "[bounds][check]")
{
    const Problem problem = mesh_scatter();
    const auto [certificate, kind] =
        GENERATE(table<Certificate, std::string>({{FarthestPair{0, 15}, "reach"},
                                                  {NodeCut{{0, 1}}, "cut"},
                                                  {LinkLengths{std::vector<std::uint64_t>(48, 1)}, "lengths"},
                                                  {Receptions{}, "receptions"}}));
    CHECK(refute(problem, {1, "", certificate}) == "a certificate of the kind " + kind + " is for chunks");
    Bound bound = lower_bound(problem);
    bound.measure = Measure::rounds;
    CHECK(refute(problem, bound) == "of messages only steps are bounded");
}

} // namespace nocturne::check_bound_test
