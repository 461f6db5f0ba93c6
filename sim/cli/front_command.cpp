#include "models/topology/files.hpp"
#include "schedules/chunk_search/front.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/plot.hpp"

#include <fmt/format.h>

#include <iostream>

namespace nocturne::cli {

namespace {

double rounds_a_chunk(const FrontPoint& point)
{
    return static_cast<double>(point.rounds) / point.parts;
}

/// What is printed of a point, and of all of them.
struct FrontRow {
    const FrontPoint* point;
};
struct FrontOutput {
    std::string topology;
    std::string collective;
    std::string end;
    std::vector<FrontRow> points;
};

Fields<FrontRow> fields_of(const FrontRow*)
{
    const auto of_point = [](auto FrontPoint::* member) {
        return [member](const FrontRow& row) { return row.point->*member; };
    };
    return {"front point",
            "A Pareto-optimal schedule: no other has both fewer steps and fewer rounds per chunk.",
            {{"steps", "", "Steps of the schedule.", of_point(&FrontPoint::steps)},
             {"rounds", "", "Rounds of the schedule.", of_point(&FrontPoint::rounds)},
             {"chunks", "", "Chunks per block.", of_point(&FrontPoint::parts)},
             {"rounds_per_chunk", "", "Rounds divided by chunks: the measure of bandwidth.",
              [](const FrontRow& row) { return rounds_a_chunk(*row.point); }},
             {"optimal", "", "Whether no schedule with as few steps has fewer rounds per chunk (proven).",
              of_point(&FrontPoint::is_proven)},
             {"optimal_in_any_steps", "",
              "Whether no schedule with any number of steps has fewer rounds per chunk (proven).",
              of_point(&FrontPoint::is_least)},
             {"engine", "", "Engine that found it.",
              [](const FrontRow& row) { return std::string(row.point->engine); }, Shown::in_files}}};
}

Fields<FrontOutput> fields_of(const FrontOutput*)
{
    return {"front",
            "Pareto front of schedules in chunks: steps against rounds per chunk.",
            {{"topology", "", "The network.", &FrontOutput::topology},
             {"collective", "", "The collective communication.", &FrontOutput::collective},
             {"end", "", end_meaning, &FrontOutput::end},
             {"points", "", "Schedules by ascending steps.",
              [](const FrontOutput& output) { return output.points; }, Shown::as_rows}}};
}

/// The front is a staircase: between two points the one of fewer steps is the best there is.
std::string front_picture(const std::string& title, const std::vector<FrontPoint>& points)
{
    Curve curve{.label = "schedules", .points = {}};
    for (const FrontPoint& point : points)
        curve.points.emplace_back(point.steps, rounds_a_chunk(point));
    return draw(LinePlot{.title = title,
                         .x = {.label = "steps (each costs alpha)"},
                         .y = {.label = "rounds a chunk (each costs m beta)", .from = 0.0},
                         .curves = {curve}});
}

OptionTable options_of_front()
{
    OptionTable options;
    OptionTable problem = option_table(
        "Problem",
        {{"topology", name_value("SPEC"), "network: a specification (ring:4) or a file; positional argument"},
         {"fault", names_value("F"), "failed part: link:A-B, channel:A-B or node:A; repeatable"}});
    problem.add_rows_of(collective_options());
    options.add(problem);
    options.add(link_options());
    options.add(
        option_table("Front", {{"most-chunks", count_value(6, {1, 1024}), "most chunks per block to try"},
                               {"budget", seconds_value(60), "time limit of the search"},
                               {"csv", written_value("FILE"), "write the points as CSV"},
                               {"svg", svg_value("FILE"), "draw the points"}}));
    return options;
}

int run_front(const OptionValues& given)
{
    const StopOnSignal signals;
    const ChunkInput input = chunk_input(given);
    FrontConfig config;
    config.most_parts = given.small_count("most-chunks");
    config.seed = given.count("seed");
    const auto budget = given.seconds("budget");
    config.end = end_after(budget, &signals.flag());
    config.workers = given.workers();
    const std::vector<FrontPoint> points =
        find_front(input.problem.network, input.problem.collective, config);
    // Settled, if every question was answered or given up.
    const std::string_view end = to_string(end_reason(false, config.end.is_stopped(), config.end.has_come()));
    if (points.empty())
        signals.throw_if_interrupted();
    if (points.empty())
        throw std::runtime_error(fmt::format("{}: no schedule was found in {:.6g} s", input.topology().name(),
                                             std::chrono::duration<double>(budget).count()));
    const std::string collective(to_string(points.front().schedule.collective.kind));
    FrontOutput output{input.topology().name(), collective, std::string(end), {}};
    for (const FrontPoint& point : points)
        output.points.push_back({&point});
    const Table table = table_of("Front", std::vector{output});
    write_table(given, "csv", table);
    if (given.has("svg"))
        write_file_atomically(
            given.text("svg"),
            front_picture(fmt::format("{} on {}", collective, input.topology().name()), points));
    print_result(output, given, [&] { print_text(std::cout, fold_constant_columns(table)); });
    std::cout.flush();
    return signals.exit_status();
}

} // namespace

Command front_command()
{
    return {{.command = "front",
             .summary = "Pareto front of schedules in chunks: latency against bandwidth",
             .positional = "topology",
             .description =
                 "Computes the Pareto front of schedules in chunks: steps (latency) against rounds "
                 "per chunk (bandwidth).\n",
             .examples = {"nocturne front ring:4 --collective allgather",
                          "nocturne front mesh:2x2 --collective allreduce --budget 10 --svg front.svg"},
             .bare_words = {bare_collective}},
            options_of_front,
            run_front,
            {description_of<FrontOutput>}};
}

} // namespace nocturne::cli
