#include "models/routing/deadlock.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/design/assessment.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::assessment_test {

namespace {

AssessmentOptions small()
{
    AssessmentOptions options;
    options.plan = {.warm_up_cycles = 500, .window_cycles = 2'000, .drain_cycles = 4'000};
    options.load_tolerance = 0.1;
    options.message_bytes = 64;
    return options;
}

} // namespace

TEST_CASE("what a torus is worth is what is known of it", "[design]")
{
    const Assessment torus = assess(make_topology("torus:4x4"), small());
    CHECK(torus.network == "torus:4x4");
    CHECK(torus.channels == 64);
    CHECK(torus.latency.average_with_self == 2);
    CHECK(torus.latency.maximum == 4);
    CHECK(torus.edge_connectivity == 4);
    CHECK(torus.bisection_links == 8);
    CHECK(torus.scatter.bound == 8); // each of 8 links of the bisection carries 64 messages each way
    CHECK(torus.scatter.steps == 8u);
    CHECK(torus.broadcast.bound == 4); // 15 messages over 4 links
    CHECK(torus.broadcast.steps == 4u);
    // (t0 + m t1) * steps, and the hops of the longest path of each step.
    REQUIRE(torus.scatter.replay_ns);
    CHECK(*torus.scatter.replay_ns > 8 * (1000 + 64 * 0.5));
    CHECK(*torus.scatter.replay_ns < 8 * (1000 + 64 * 0.5 + 100));
    REQUIRE(torus.saturation_load);
    CHECK(*torus.saturation_load > 0.4);
    CHECK(*torus.saturation_load <= 1);
    CHECK_FALSE(torus.wire_total);
}

TEST_CASE("what a search for saturation runs on is there to be remarked on before it", "[design]")
{
    AssessmentOptions options = small();
    std::vector<std::string> prepared;
    options.on_saturation = [&](const Topology& network, const Routing& routing,
                                const HardwareConfig& hardware) {
        CHECK(hardware.vcs >= 4);
        CHECK(check_deadlock(network, routing).deadlock_free());
        prepared.push_back(network.name() + " " + routing.name);
    };
    assess(make_topology("octagon:8"), options);
    CHECK(prepared == std::vector<std::string>{"octagon:8 shortest+layers"});
}

TEST_CASE("networks are ordered by steps, and placed by each figure", "[design]")
{
    Assessment near;
    near.network = "near";
    near.latency.average_with_self = 2;
    near.scatter.steps = 7;
    near.saturation_load = 0.9;
    Assessment far = near;
    far.network = "far";
    far.latency.average_with_self = 3;
    far.scatter.steps = std::nullopt;
    far.saturation_load = 0.5;
    const std::vector<Assessment> both{far, near};

    const Table values = table_of("", by_scatter(both));
    REQUIRE(values.rows.size() == 2);
    CHECK(std::get<std::string>(values.rows[0][0]) == "near");
    CHECK(std::holds_alternative<Real>(values.rows[0][3]));

    const Table places = rank_table(both);
    CHECK(std::get<std::string>(places.rows[0][0]) == "near");
    CHECK(std::get<Real>(places.rows[0][1]).value == 1); // equals share the better place
    CHECK(std::get<Real>(places.rows[1][1]).value > 1);
    CHECK(places.columns.back().name == "saturation load");
    CHECK(std::get<std::uint64_t>(places.rows[1].back()) == 2);
}

TEST_CASE("a network in parts is not assessed", "[design]")
{
    const Topology parts = test::direct_network("parts", 4, test::both_ways({{0, 1}, {2, 3}}));
    CHECK_THROWS_WITH(assess(parts, small()), Catch::Contains("parts: 8 pairs of processors"));
}

} // namespace nocturne::assessment_test
