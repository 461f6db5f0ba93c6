// The main job over the schedules printed in the papers; README.md says what is claimed and what came out.
#include "models/routing/make_routing.hpp"
#include "models/topology/files.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "sim/replay/compare.hpp"
#include "sim/report/baselines.hpp"
#include "sim/report/pictures.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace {

using namespace nocturne;

struct Configuration {
    std::vector<std::string> schedules;
    std::vector<std::uint64_t> message_bytes;
    std::vector<std::string> routings;
    unsigned vcs = 1;
    std::uint64_t seed = 1;
    std::string expected; ///< file; empty: nothing to compare with
    std::string output;   ///< folder; empty: only the terminal
};

struct Case {
    std::string name; ///< of the schedule's file
    Comparison comparison;
    RunResult recorded; ///< with occupancy, for the Gantt chart
};

Case run_case(const std::string& path, const Configuration& configuration)
{
    LoadedSchedule loaded = load_schedule(path);
    const Schedule schedule = complete_paths(loaded.schedule, loaded.topology);
    std::vector<Routing> routings;
    for (const std::string& name : configuration.routings)
        routings.push_back(make_routing(loaded.topology, name, configuration.seed));

    ProgressLine progress(path);
    ComparisonOptions options;
    options.message_bytes = configuration.message_bytes;
    options.baselines = usual_baselines(schedule.collective, configuration.seed);
    options.hardware.vcs = configuration.vcs;
    options.seed = configuration.seed;
    options.workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    Case result{
        std::filesystem::path(path).stem(), compare(schedule, loaded.topology, routings, options), {}};

    // A message that takes about as long as the start-up: the Gantt chart shows both.
    ReplaySeries series;
    series.message_bytes = {2048};
    series.simulation.hardware = options.hardware;
    series.simulation.record_occupancy = true;
    result.recorded = replay_sizes(schedule, loaded.topology, series).front().run;
    return result;
}

std::string name_of(const RunResult& run)
{
    return run.traffic + ", " + run.routing;
}

/// A row for each schedule and message size: the schedule beside the model, beside the fastest run without a
/// schedule, and beside the fastest of those that pay the start-up for each message as the schedule does.
Table summary(const std::vector<Case>& cases, const std::vector<std::uint64_t>& sizes)
{
    Table table{"The printed schedules and the same messages without a schedule",
                {{"schedule", "", Align::left},
                 {"steps", ""},
                 {"message", "bytes"},
                 {"model", "ns"},
                 {"schedule time", "ns"},
                 {"hop overhead", "ns"},
                 {"blocked", "cycles"},
                 {"memories", "", Align::left},
                 {"strongest", "", Align::left},
                 {"its time", "ns"},
                 {"over schedule", ""},
                 {"best with all start-ups", "", Align::left},
                 {"its time with all", "ns"},
                 {"worst", "ns"}},
                {}};
    for (const Case& each : cases)
        for (std::size_t i = 0; i < each.comparison.replays.size(); ++i) {
            const ReplayResult& replay = each.comparison.replays[i];
            const std::uint64_t bytes = replay.run.message_bytes;
            if (std::find(sizes.begin(), sizes.end(), bytes) == sizes.end())
                continue;
            const RunResult* strongest = strongest_baseline(each.comparison, bytes);
            const RunResult* best = nullptr;
            double worst = 0;
            for (const RunResult& run : each.comparison.baselines) {
                if (run.message_bytes != bytes || run.stall || run.traffic == self_timed_schedule)
                    continue;
                if (!run.traffic.ends_with("+chained") && (best == nullptr || run.time_ns < best->time_ns))
                    best = &run;
                worst = std::max(worst, run.time_ns);
            }
            table.add_row(
                {each.name, std::uint64_t{replay.steps}, bytes, Real{replay.model_time_ns, 0},
                 Real{replay.run.time_ns, 0}, Real{replay.hop_overhead_ns, 0}, replay.run.blocked_cycles,
                 std::string(replay.run.memory_ok ? "right" : "WRONG"),
                 strongest == nullptr ? Cell{} : Cell{name_of(*strongest)},
                 strongest == nullptr ? Cell{} : Cell{Real{strongest->time_ns, 0}},
                 strongest == nullptr ? Cell{} : Cell{Real{strongest->time_ns / replay.run.time_ns, 2}},
                 best == nullptr ? Cell{} : Cell{name_of(*best)},
                 best == nullptr ? Cell{} : Cell{Real{best->time_ns, 0}}, Real{worst, 0}});
        }
    return table;
}

/// Everything is computed before the first file is written.
void write_results(const std::vector<Case>& cases, const Configuration& configuration)
{
    testbench::Files files;
    nlohmann::json document = nlohmann::json::array();
    for (const Case& each : cases) {
        files.emplace_back(each.name + "_latency.svg", latency_picture(each.comparison));
        files.emplace_back(
            each.name + "_occupancy.svg",
            occupancy_picture(each.recorded, fmt::format("{} ({} bytes)", each.comparison.schedule,
                                                         each.recorded.message_bytes)));
        files.emplace_back(each.name + ".csv", csv_of(table_of("", std::span(&each.comparison, 1))));
        document.push_back(each.comparison);
    }
    files.emplace_back("summary.csv", csv_of(summary(cases, configuration.message_bytes)));
    files.emplace_back("results.json", document.dump(1) + "\n");
    testbench::write_files(configuration.output, files);
}

/// What the papers claim of a schedule, and what holds here: a line for each check that fails.
std::vector<std::string> failures(const std::vector<Case>& cases, const Configuration& configuration)
{
    std::vector<std::string> result;
    for (const Case& each : cases) {
        for (const ReplayResult& replay : each.comparison.replays) {
            const auto fail = [&](const std::string& what) {
                result.push_back(fmt::format("{}, {} bytes: {}", each.name, replay.run.message_bytes, what));
            };
            if (replay.run.stall || !replay.run.memory_ok)
                fail(outcome(replay.run));
            if (replay.run.blocked_cycles != 0)
                fail(fmt::format("{} blocked cycles", replay.run.blocked_cycles));
            if (std::abs(replay.run.time_ns - replay.model_time_ns - replay.hop_overhead_ns) > 1e-6)
                fail("the time is not (t0 + m t1) steps and the hop overhead");
        }
        const TimingFit& fit = each.comparison.fit;
        if (std::abs(fit.t0_ns / fit.model_t0_ns - 1) > 1e-3 ||
            std::abs(fit.t1_ns_per_byte / fit.model_t1_ns_per_byte - 1) > 1e-3)
            result.push_back(fmt::format("{}: the fit gives t0 = {} ns, t1 = {} ns/byte", each.name,
                                         fit.t0_ns, fit.t1_ns_per_byte));
    }
    if (!configuration.expected.empty() &&
        read_file(configuration.expected) != csv_of(summary(cases, configuration.message_bytes)))
        result.push_back(fmt::format("the results differ from {}", configuration.expected));
    return result;
}

int run(const Configuration& configuration)
{
    std::vector<Case> cases;
    for (const std::string& schedule : configuration.schedules)
        cases.push_back(run_case(schedule, configuration));
    print_text(std::cout, summary(cases, {64, 1024, 8192, 65536}));
    for (const Case& each : cases)
        std::cout << fmt::format(
            "{}: fitted t0 = {:.4f} ns, t1 = {:.6f} ns/byte, hop overhead {:.1f} ns a step, residual "
            "{:.2g} ns\n",
            each.name, each.comparison.fit.t0_ns, each.comparison.fit.t1_ns_per_byte,
            each.comparison.fit.hop_overhead_ns, each.comparison.fit.residual_ns);
    if (!configuration.output.empty())
        write_results(cases, configuration);
    const std::vector<std::string> failed = failures(cases, configuration);
    return testbench::status_of("schedule_vs_contention", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("schedule", po::value(&configuration.schedules)->composing(),
                          "schedule file, one or more")("bytes",
                                                        po::value(&configuration.message_bytes)->composing(),
                                                        "message size, two or more, ascending")(
        "routing", po::value(&configuration.routings)->composing(),
        "of the runs without a schedule, one or more")("vcs", po::value(&configuration.vcs)->default_value(4),
                                                       "virtual channels of a link, the same in all runs")(
        "seed", po::value(&configuration.seed)->default_value(1),
        "seed")("expected", po::value(&configuration.expected), "summary that must come out")(
        "output", po::value(&configuration.output), "folder for tables and pictures");
    return nocturne::testbench::run(argc, argv, "schedule_vs_contention", options,
                                    [&] { return run(configuration); });
}
