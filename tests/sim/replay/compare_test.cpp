#include "models/routing/make_routing.hpp"
#include "sim/replay/compare.hpp"
#include "sim/report/baselines.hpp"
#include "sim/report/results.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"

#include <algorithm>

namespace nocturne::compare_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

Comparison comparison_of(const Example& example, unsigned workers, std::uint64_t seed)
{
    const Routing routing = make_routing(example.topology, "auto", seed);
    ComparisonOptions options;
    options.message_bytes = {64, 500};
    options.baselines = usual_baselines(example.schedule.collective, seed);
    options.simulation.hardware.vcs = routing.vc_classes;
    options.simulation.seed = seed;
    options.workers.workers = workers;
    return compare(example.schedule, example.topology, {&routing, 1}, options);
}

const RunResult& run_of(const Comparison& comparison, const std::string& traffic, std::uint64_t bytes)
{
    const auto found =
        std::find_if(comparison.baselines.begin(), comparison.baselines.end(), [&](const RunResult& run) {
            return run.traffic == traffic && run.message_bytes == bytes;
        });
    REQUIRE(found != comparison.baselines.end());
    return *found;
}

} // namespace

TEST_CASE("another seed changes what is random and nothing else", "[replay][compare]")
{
    const Example example = printed("octagon8_aas.json");
    const Comparison one = comparison_of(example, 2, 1);
    const Comparison other = comparison_of(example, 2, 2);
    CHECK(run_of(one, "random", 500).channels != run_of(other, "random", 500).channels);
    for (const char* traffic : {"shifted", "in-order", "shifted+chained", "schedule, self-timed"})
        CHECK((run_of(one, traffic, 500) == run_of(other, traffic, 500)));
    CHECK((one.replays == other.replays));
}

TEST_CASE("a comparison has a replay a size, every traffic at every size, and the fit", "[replay][compare]")
{
    const Example example = printed("omega8_aab.json");
    const Comparison comparison = comparison_of(example, 0, 1);
    CHECK(comparison.steps == 7U);
    CHECK(comparison.collective == "allgather");
    CHECK(comparison.topology == "omega:8");
    REQUIRE(comparison.replays.size() == 2);
    CHECK(comparison.replays[1].run.message_bytes == 500);
    const auto traffic = usual_baselines(example.schedule.collective, 1);
    CHECK(comparison.baselines.size() == 2 * (traffic.size() + 1));
    for (const UnscheduledTraffic& each : traffic)
        for (const std::uint64_t bytes : {64u, 500u}) {
            const RunResult& run = run_of(comparison, to_string(each), bytes);
            CHECK(run.memory_ok);
            CHECK(run.routing != "source routes");
        }
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(run_of(comparison, "schedule, self-timed", comparison.message_bytes[i]).time_ns <=
              comparison.replays[i].run.time_ns);
    CHECK(comparison.fit.value().t0_ns == Approx(1000).epsilon(0.001));
}

TEST_CASE("the same messages by several routings on the same hardware, and which run is the fastest",
          "[replay][compare]")
{
    const Example example = printed("octagon8_aas.json");
    const std::vector<Routing> routings{make_routing(example.topology, "auto"),
                                        make_routing(example.topology, "adaptive")};
    ComparisonOptions options;
    options.message_bytes = {64, 4096};
    options.baselines = usual_baselines(example.schedule.collective, 1);
    options.simulation.hardware.vcs = 4;
    const Comparison comparison = compare(example.schedule, example.topology, routings, options);
    CHECK(comparison.vcs == 4);
    CHECK(comparison.baselines.size() == 2 * (1 + 2 * options.baselines.size()));
    for (const std::uint64_t bytes : options.message_bytes) {
        const RunResult* strongest = strongest_baseline(comparison, bytes);
        REQUIRE(strongest != nullptr);
        CHECK(strongest->message_bytes == bytes);
        for (const RunResult& run : comparison.baselines) {
            INFO(run.traffic << ", " << run.routing << ", " << run.message_bytes << " bytes");
            CHECK(run.memory_ok);
            CHECK_FALSE(run.stall);
            if (run.message_bytes == bytes && run.traffic != self_timed_schedule)
                CHECK(run.time_ns >= strongest->time_ns);
        }
    }
    Comparison stalled = comparison;
    for (RunResult& run : stalled.baselines)
        run.stall = Stall{};
    CHECK(strongest_baseline(stalled, 64) == nullptr);
}

TEST_CASE("an adaptive routing needs hardware that has it", "[replay][compare]")
{
    const Example example = printed("octagon8_aas.json");
    const Routing adaptive = make_routing(example.topology, "adaptive");
    ComparisonOptions options;
    options.message_bytes = {64, 128};
    options.baselines = {{SendOrder::shifted}};
    options.simulation.hardware.vcs = adaptive.vc_classes + 1;
    options.simulation.model = NetworkModel::worm;
    CHECK_THROWS_WITH(compare(example.schedule, example.topology, {&adaptive, 1}, options),
                      Contains("model worm: routing adaptive is adaptive"));
    options.simulation.model = NetworkModel::flit;
    options.simulation.hardware.router = speculative_pipeline;
    CHECK_THROWS_WITH(compare(example.schedule, example.topology, {&adaptive, 1}, options),
                      Contains("speculative"));
}

TEST_CASE("an invalid schedule, or a single size, is not compared", "[replay][compare]")
{
    Example example = printed("octagon8_aas.json");
    const Routing routing = make_routing(example.topology, "auto");
    ComparisonOptions options;
    options.message_bytes = {64};
    CHECK_THROWS_WITH(compare(example.schedule, example.topology, {&routing, 1}, options),
                      Contains("at least two message sizes"));
    options.message_bytes = {64, 128};
    example.schedule.steps.pop_back();
    CHECK_THROWS_WITH(compare(example.schedule, example.topology, {&routing, 1}, options),
                      Contains("undelivered"));
}

TEST_CASE("messages too large for the memories are refused before anything runs", "[replay][compare]")
{
    const Example example = printed("octagon8_aas.json");
    bool has_run = false;
    WorkerOptions workers{1, [&](std::size_t, std::size_t) { has_run = true; }};
    ReplaySeries series;
    series.message_bytes = {64, 1u << 30};
    series.workers = workers;
    CHECK_THROWS_WITH(replay_sizes(example.schedule, example.topology, series), Contains("more than 4 GiB"));
    ComparisonOptions options;
    options.message_bytes = {64, 1u << 30};
    options.workers = workers;
    const Routing routing = make_routing(example.topology, "auto");
    CHECK_THROWS_WITH(compare(example.schedule, example.topology, {&routing, 1}, options),
                      Contains("more than 4 GiB"));
    CHECK_FALSE(has_run);
}

TEST_CASE("an error in a simulation reaches the caller", "[replay][compare]")
{
    const Example example = printed("octagon8_aas.json");
    ReplaySeries series;
    series.message_bytes = {64, 128};
    series.simulation.hardware.flit_bytes = 0;
    CHECK_THROWS_WITH(replay_sizes(example.schedule, example.topology, series), Contains("flit_bytes = 0"));
    const Routing routing = make_routing(example.topology, "auto");
    ComparisonOptions options;
    options.message_bytes = {64, 128};
    options.baselines = {{SendOrder::shifted}};
    REQUIRE(routing.vc_classes > 1);
    CHECK_THROWS_WITH(compare(example.schedule, example.topology, {&routing, 1}, options),
                      Contains("the routing needs 2 virtual channels, the hardware has 1"));
}

} // namespace nocturne::compare_test
