#include "schedules/certificate/bound_json.hpp"
#include "schedules/collective/bandwidth.hpp"
#include "schedules/formats/foreign_schedule.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_bounds_output.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/progress.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// What an objective counts first.
std::string_view counted_by(ChunkObjective objective)
{
    switch (objective) {
    case ChunkObjective::steps:
        return "steps";
    case ChunkObjective::bandwidth:
        return "rounds a chunk";
    case ChunkObjective::time:
        return "cycles";
    }
    throw std::logic_error("unknown objective");
}

std::string objective_progress_text(const SearchProgress& now, ChunkObjective objective)
{
    return fmt::format("schedule: best {}; {} tries {} chunk{}",
                       now.best ? fmt::format("{:.6g} {}", *now.best, counted_by(objective)) : "none yet",
                       now.engine.empty() ? "all" : now.engine, now.parts, now.parts == 1 ? "" : "s");
}

/// Null under dependencies.
std::optional<std::uint64_t> steps_of(const Schedule& schedule)
{
    return is_in_steps(schedule) ? std::optional<std::uint64_t>(count_steps(schedule)) : std::nullopt;
}
std::optional<std::uint64_t> rounds_of(const Schedule& schedule)
{
    return is_in_steps(schedule) ? std::optional<std::uint64_t>(count_rounds(schedule)) : std::nullopt;
}

/// What is said of any schedule of chunks.
struct ChunkFigures {
    const Schedule& schedule;
    std::string topology;
    std::optional<double> bytes;
    std::optional<double> time_cycles;

    std::optional<double> bandwidth() const
    {
        return time_cycles && *time_cycles > 0
                   ? std::optional(algorithm_bytes(schedule.collective, *bytes) / *time_cycles)
                   : std::nullopt;
    }
};

Fields<ChunkFigures> fields_of(const ChunkFigures*)
{
    using Figures = ChunkFigures;
    const auto of_schedule = [](auto get) {
        return [get](const Figures& figures) { return get(figures.schedule); };
    };
    const auto bus_bandwidth = [](const Figures& figures) -> std::optional<double> {
        if (const auto bandwidth = figures.bandwidth())
            return *bandwidth * bus_factor(figures.schedule.collective);
        return std::nullopt;
    };
    return {
        "schedule of chunks",
        "What is said of any schedule of chunks.",
        {{"schedule", "", "Its name.", of_schedule([](const Schedule& schedule) { return schedule.name; })},
         {"topology", "", "The network.", &Figures::topology},
         {"collective", "", "What it carries out.", of_schedule([](const Schedule& schedule) {
              return std::string(to_string(schedule.collective.kind));
          })},
         {"chunks", "", "That each block is cut into.",
          of_schedule([](const Schedule& schedule) { return schedule.collective.parts; })},
         {"steps", "", "Of it; null under dependencies.", of_schedule(steps_of)},
         {"rounds", "", "Of it; null under dependencies.", of_schedule(rounds_of)},
         {"rounds_per_chunk", "", "What counts where bandwidth does.",
          of_schedule([](const Schedule& schedule) -> std::optional<double> {
              if (const auto rounds = rounds_of(schedule))
                  return static_cast<double>(*rounds) / schedule.collective.parts;
              return std::nullopt;
          })},
         {"transfers", "", "Of it.",
          of_schedule([](const Schedule& schedule) { return count_transfers(schedule); })},
         {"bytes", "bytes", bytes_meaning, [](const Figures& figures) { return figures.bytes; }},
         {"time_cycles", "cycles", "That it takes by alpha + beta, without anything in its way.",
          [](const Figures& figures) { return figures.time_cycles; }},
         {"algorithm_bandwidth", "bytes/cycle", algorithm_bandwidth_meaning, &Figures::bandwidth},
         {"bus_bandwidth", "bytes/cycle", bus_bandwidth_meaning, bus_bandwidth}}};
}

/// What is printed of a search.
struct ChunkScheduleOutput {
    ChunkFigures figures;
    const ChunkInput& input;
    const PortfolioResult& found;
};

Fields<ChunkScheduleOutput> fields_of(const ChunkScheduleOutput*)
{
    using Output = ChunkScheduleOutput;
    return Fields<Output>{"schedule chunks", "The search of a schedule of chunks.", {}}
        .with(&Output::figures)
        .with({{"objective", "", "`steps`, `bandwidth` or `time`.",
                [](const Output& output) { return std::string(to_string(output.input.problem.objective)); }},
               {"optimal", "", optimal_meaning, [](const Output& output) { return output.found.is_optimal; }},
               {"gap", "",
                "By how much what the objective counts first is more than its bound: 0.25 for a quarter; "
                "null without a bound.",
                [](const Output& output) { return output.found.gap; }},
               {"engine", "", "That found it.", [](const Output& output) { return output.found.engine; }},
               {"end", "", end_meaning,
                [](const Output& output) { return std::string(to_string(output.found.end)); }},
               {"chunks_tried", "", "Numbers of chunks, if none was given.",
                [](const Output& output) { return output.found.parts_tried; }, Shown::in_files},
               {"bounds", "", "What no schedule has less of.", [](const Output& output) {
                    return bound_rows(output.found.bounds, output.input.problem.network);
                }}});
}

/// Where it is in a foreign file.
std::string place_of(const JudgedChunks& judged, const Violation& violation)
{
    if (!violation.transfer || judged.places.empty())
        return {};
    return judged.places[TransferList(judged.schedule).number_of(violation.step, *violation.transfer)];
}

std::vector<ViolationRow> rows_of_violations(const JudgedChunks& judged)
{
    std::vector<ViolationRow> rows = violation_rows(judged.violations);
    for (ViolationRow& row : rows)
        row.place = place_of(judged, row.violation);
    return rows;
}

/// What is printed of a schedule that is judged.
struct ChunkVerdict {
    ChunkFigures figures;
    const JudgedChunks& judged;
};

Fields<ChunkVerdict> fields_of(const ChunkVerdict*)
{
    using Output = ChunkVerdict;
    return Fields<Output>{"validate chunks", "What the validator says of a schedule of chunks.", {}}
        .with(&Output::figures)
        .with({{"link_order", "", "In which links carry: `given` by the file, or `chosen`.",
                [](const Output& output) { return output.judged.order_is_open ? "chosen" : "given"; }},
               {"chosen_paths", "", "Left open by the file: shortest ones, evenly loaded.",
                [](const Output& output) { return output.judged.chosen_paths; }},
               {"valid", "", valid_meaning,
                [](const Output& output) { return output.judged.violations.empty(); }},
               {"violations", "", violations_meaning,
                [](const Output& output) { return rows_of_violations(output.judged); }}});
}

ChunkVerdict verdict_on(const JudgedChunks& judged)
{
    return {{judged.schedule, judged.network.name(),
             judged.cycles ? std::optional(static_cast<double>(judged.bytes)) : std::nullopt, judged.cycles},
            judged};
}

} // namespace

nlohmann::ordered_json verdict_of_chunks(const JudgedChunks& judged)
{
    return verdict_on(judged);
}

const ResultDescription& chunk_schedule_result()
{
    return description_of<ChunkScheduleOutput>();
}

const ResultDescription& chunk_validate_result()
{
    return description_of<ChunkVerdict>();
}

int schedule_chunks(const OptionValues& given, PortfolioOptions search)
{
    const StopOnSignal signals;
    const ChunkInput input = chunk_input(given);
    const ChunkProblem& problem = input.problem;
    if (problem.latency_holds_link && problem.objective != ChunkObjective::time)
        throw std::invalid_argument(fmt::format(
            "--latency-holds-link: no --objective {} beside it: it takes a schedule without barriers",
            to_string(problem.objective)));
    search.stop = &signals.flag();
    PortfolioResult found = [&] {
        ProgressLine line("schedule");
        search.on_progress = [&](const SearchProgress& now) {
            line.show_text(objective_progress_text(now, problem.objective));
        };
        return find_schedule(problem, search);
    }();
    if (!found.schedule) {
        signals.throw_if_interrupted(); // before anything was found
        throw std::runtime_error(
            fmt::format("{}: no schedule was found in {:.6g} s", describe(problem), search.budget.count()));
    }
    Schedule& schedule = *found.schedule;
    schedule.topology = input.topology().name();
    schedule.bytes = parse_size(given.text("bytes"));
    if (given.has("output"))
        save_schedule(given.text("output"), schedule, input.topology(),
                      {{"lower_bounds", to_json(found.bounds)}}, input.defaults);
    const ChunkScheduleOutput output{
        {schedule, input.topology().name(), problem.bytes, found.cycles}, input, found};
    print_result(output, given, [&] {
        print_figures(output);
        print_below(table_of("Bounds", bound_rows(found.bounds, problem.network)));
        if (!given.has("output"))
            fmt::print("{}\n", not_kept_text);
    });
    std::fflush(stdout);
    return signals.signal() != 0 ? 128 + signals.signal() : all_is_well;
}

int judge_chunks(const OptionValues& given, const std::string& file)
{
    refuse_given(given, {"max-slack"}, takes_whole_messages);
    JudgedChunks judged = judged_chunks(given, file);
    if (is_in_steps(judged.schedule) && given.has("latency-holds-link") && given.is_on("latency-holds-link"))
        throw std::invalid_argument("--latency-holds-link: takes a schedule without barriers");
    if (judged.violations.empty()) {
        judged.bytes = parse_size(judged.places.empty() ? bytes_text(given, file, judged.schedule.bytes)
                                                        : given.text("bytes")); // other tools say none
        const AlphaBeta cost = chunk_cost(given, judged.schedule.collective, judged.bytes);
        if (judged.order_is_open)
            order_links(judged.schedule, judged.network, cost);
        judged.cycles = time_of(judged.schedule, judged.network, cost);
    }
    if (given.has("output") && judged.violations.empty()) {
        if (!judged.topology)
            throw std::invalid_argument("--output is for schedules of a network: --topology names it");
        judged.schedule.topology = judged.topology->name();
        save_schedule(given.text("output"), judged.schedule, *judged.topology, judged.claims,
                      judged.defaults);
    }
    const ChunkVerdict output = verdict_on(judged);
    print_result(output, given, [&] {
        print_figures(output);
        if (!judged.violations.empty())
            print_below(table_of("Violations", rows_of_violations(judged)));
    });
    return judged.violations.empty() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
