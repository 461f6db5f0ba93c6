#include "sim/report/baselines.hpp"
#include "sim/report/report.hpp"
#include "tests/catch.hpp"
#include "tests/sim/report/sample_results.hpp"

#include <algorithm>

namespace nocturne::report_test {

using Catch::Contains;

TEST_CASE("the outcome of a run names the first thing that went wrong", "[report]")
{
    RunResult run = sample_run("schedule", 64, 100);
    CHECK(outcome(run) == "ok");
    run.memory_ok = false;
    CHECK(outcome(run) == "wrong memory");
    run.messages_delivered = 1;
    CHECK(outcome(run) == "incomplete");
    run.stall = Stall{10, "no flit moved", {}};
    CHECK(outcome(run) == "stalled");
    run.stall->cycle.push_back({"00->01", 0, "0>4", "01->02"});
    CHECK(outcome(run) == "deadlock");
}

TEST_CASE("a replay is one object with the members of its run, null and empty ones among them", "[report]")
{
    ReplayResult replay = sample_comparison().replays[0];
    const nlohmann::json document = replay;
    CHECK(document["time_ns"] == replay.run.time_ns);
    CHECK(document["step_times_ns"].size() == replay.steps.value());
    CHECK(document["outcome"] == "ok");
    CHECK(document["stall"].is_null());
    CHECK_FALSE(document.contains("run"));
    CHECK_FALSE(document.contains("occupancy"));
    replay.run.occupancy.push_back({"P0->", "0>1", 1, 1, 2});
    CHECK(nlohmann::json(replay)["occupancy"][0]["message"] == "0>1");
    CHECK(nlohmann::json(RunResult{})["outcome"] == "not run");
}

TEST_CASE("runs without a schedule are sorted by traffic, and by routing where it differs", "[report]")
{
    Comparison comparison = sample_comparison();
    std::vector<BaselineSeries> series = baseline_series(comparison);
    REQUIRE(series.size() == 2);
    CHECK(series[0].label == "shifted");
    CHECK(series[1].label == "random");
    for (std::size_t i = 0; i < comparison.message_bytes.size(); ++i)
        CHECK(series[1].runs[i]->message_bytes == comparison.message_bytes[i]);

    comparison.baselines[0].routing = "up*/down*";
    series = baseline_series(comparison);
    REQUIRE(series.size() == 3);
    CHECK(series[0].label == "shifted, up*/down*");
    CHECK(series[0].runs[0] == &comparison.baselines[0]);
    CHECK(series[0].runs[1] == nullptr);
}

TEST_CASE("the latency table sets schedule and traffics side by side, without the times of failed runs",
          "[report]")
{
    Comparison comparison = sample_comparison();
    comparison.baselines.back().stall = Stall{10, "circular wait", {{"00->01", 0, "0>4", "01->02"}}};
    const Table table = latency_table(comparison);
    CHECK_THAT(table.title, Contains("4 virtual channels"));
    const nlohmann::json rows = table_json(table);
    REQUIRE(rows.size() == comparison.message_bytes.size());
    CHECK(rows[0]["schedule_ns"] == comparison.replays[0].run.time_ns);
    CHECK(rows[0]["self_timed_ns"].is_null());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RunResult* strongest = strongest_baseline(comparison, comparison.message_bytes[i]);
        REQUIRE(strongest != nullptr);
        CHECK(rows[i]["fastest_without_ns"] == strongest->time_ns);
        CHECK(rows[i]["speed_up"] == strongest->time_ns / comparison.replays[i].run.time_ns);
        CHECK(rows[i]["which_is"] == strongest->traffic);
    }
    const nlohmann::json baselines = table_json(baseline_table(comparison));
    REQUIRE(baselines.size() == 2);
    CHECK(baselines[1]["traffic"] == "random");
    CHECK(baselines[1][std::to_string(comparison.message_bytes[0])] == comparison.baselines[1].time_ns);
    CHECK(baselines[1][std::to_string(comparison.message_bytes.back())] == "deadlock");
    for (RunResult& run : comparison.baselines)
        run.stall = Stall{};
    CHECK(strongest_baseline(comparison, comparison.message_bytes[0]) == nullptr);
}

TEST_CASE("a comparison has a row for every run, relative to the schedule", "[report]")
{
    const Comparison comparison = sample_comparison();
    const nlohmann::json document = comparison;
    CHECK(document["message_bytes"] == comparison.message_bytes);
    const nlohmann::json& runs = document["runs"];
    REQUIRE(runs.size() == comparison.replays.size() + comparison.baselines.size());
    CHECK(runs[0]["traffic"] == "schedule");
    CHECK(runs[0]["time_over_schedule"] == 1);
    CHECK(std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run["strongest"] == true; }) ==
          static_cast<std::ptrdiff_t>(comparison.replays.size()));
    CHECK(runs[1]["time_over_schedule"] ==
          comparison.baselines[0].time_ns / comparison.replays[0].run.time_ns);
    const nlohmann::json rows = table_json(table_of("", std::span(&comparison, 1)));
    REQUIRE(rows.size() == runs.size());
    CHECK(rows[1]["vcs"] == 4);
    CHECK(rows[1]["time_ns"] == runs[1]["time_ns"]);
}

TEST_CASE("the other tables hold what their results hold", "[report]")
{
    const ReplayResult replay = sample_comparison().replays[0];
    const nlohmann::json steps = table_json(step_table(replay));
    REQUIRE(steps.size() == replay.steps.value());
    CHECK(steps[0]["step"] == 1);
    CHECK(steps[0]["difference_ns"] == replay.step_times_ns[0] - replay.model_time_ns / replay.steps.value());
    CHECK(table_json(stall_table({10, "circular wait", {{"00->01", 2, "0>4", "01->02"}}})) ==
          nlohmann::json{{{"message", "0>4"}, {"channel", "00->01"}, {"vc", 2}, {"waits_for", "01->02"}}});
}

} // namespace nocturne::report_test
