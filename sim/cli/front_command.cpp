#include "models/topology/files.hpp"
#include "schedules/chunk_search/front.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/columns.hpp"
#include "sim/report/plot.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>

namespace nocturne::cli {

namespace {

double rounds_a_chunk(const FrontPoint& point)
{
    return static_cast<double>(point.rounds) / point.parts;
}

std::string standing(const FrontPoint& point)
{
    return point.is_least ? "least R/C" : point.is_proven ? "proven" : "";
}

Table front_table(const std::vector<FrontPoint>& points)
{
    return table_of("", points,
                    {{"steps", "", &FrontPoint::steps},
                     {"rounds", "", &FrontPoint::rounds},
                     {"chunks", "", &FrontPoint::parts},
                     {"rounds a chunk", "", rounds_a_chunk, 4},
                     {"standing", "", standing}});
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

nlohmann::ordered_json front_document(const ChunkInput& input, const std::string& collective,
                                      const std::vector<FrontPoint>& points, std::string_view end)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const FrontPoint& point : points)
        list.push_back({{"steps", point.steps},
                        {"rounds", point.rounds},
                        {"chunks", point.parts},
                        {"is_proven", point.is_proven},
                        {"is_least", point.is_least}});
    return {{"topology", input.topology.name()},
            {"collective", collective},
            {"points", std::move(list)},
            {"end", end}};
}

Usage usage_of_front()
{
    return {.command = "front",
            .summary = "schedules in chunks, from the fewest steps to the fewest rounds a chunk",
            .positional = "topology",
            .description = "The schedules in chunks that no other one beats in both steps (latency) and "
                           "rounds a chunk (bandwidth).\n",
            .examples = {"nocturne front ring:4 --collective allgather",
                         "nocturne front mesh:2x2 --collective allreduce --budget 10 --svg front.svg"}};
}

OptionTable options_of_front()
{
    OptionTable options;
    OptionTable problem = option_table(
        "Problem",
        {{"topology", name_value("SPEC"),
          "the network: a specification (ring:4) or a file; the argument without a name"},
         {"fault", names_value("F"), "what has failed: link:A-B, channel:A-B or node:A; again for more"}});
    problem.add_rows_of(collective_options());
    options.add(problem);
    options.add(link_options());
    options.add(
        option_table("Front", {{"most-chunks", count_value(6, {1, 1024}), "chunks that are tried, at most"},
                               {"budget", seconds_value(60), "time for the search"},
                               {"csv", written_value("FILE"), "write the points as a table"},
                               {"svg", written_value("FILE"), "draw them"}}));
    return options;
}

int run_front(const OptionValues& given)
{
    const StopOnSignal signals;
    const ChunkInput input = chunk_input(given);
    FrontConfig config;
    config.most_parts = given.small_count("most-chunks");
    config.seed = input.request.seed;
    config.end = end_after(input.request.budget, &signals.flag());
    const std::vector<FrontPoint> points = find_front(input.network, input.request.of_parts, config);
    // Settled, if every question was answered or given up.
    const std::string_view end = to_string(end_reason(false, config.end.is_stopped(), config.end.has_come()));
    if (points.empty())
        signals.throw_if_interrupted();
    if (points.empty())
        throw std::runtime_error(fmt::format("{}: no schedule was found in {:.6g} s", input.topology.name(),
                                             input.request.budget.count()));
    const std::string collective(to_string(points.front().schedule.collective.kind));
    write_table(given, "csv", front_table(points));
    if (given.has("svg"))
        write_file_atomically(
            given.text("svg"),
            front_picture(fmt::format("{} on {}", collective, input.topology.name()), points));
    if (given.is_on("json")) {
        std::cout << front_document(input, collective, points, end).dump(2) << '\n';
    } else {
        fmt::print("{} on {}\n", collective, input.topology.name());
        std::fflush(stdout);
        print_text(std::cout, front_table(points));
        fmt::print("search {}\n", end);
        std::fflush(stdout);
    }
    return signals.signal() != 0 ? 128 + signals.signal() : all_is_well;
}

} // namespace

Command front_command()
{
    return {usage_of_front(), options_of_front, run_front};
}

} // namespace nocturne::cli
