#include "schedules/certificate/bound_json.hpp"
#include "schedules/formats/foreign_schedule.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_bounds_output.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/columns.hpp"
#include "sim/report/progress.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// `allgather in 3 chunks on mesh:2x2`
std::string chunk_heading(const Collective& collective, const std::string& network)
{
    return fmt::format("{} in {} chunk{} on {}", to_string(collective.kind), collective.parts,
                       collective.parts == 1 ? "" : "s", network);
}

nlohmann::ordered_json chunk_document(const ChunkInput& input, const ChunkFinding& finding)
{
    const Schedule& schedule = finding.schedule;
    nlohmann::ordered_json json{{"topology", input.topology.name()},
                                {"collective", to_string(schedule.collective.kind)},
                                {"chunks", schedule.collective.parts},
                                {"objective", to_string(input.request.objective)},
                                {"engine", finding.engine},
                                {"steps", nullptr},
                                {"rounds", nullptr},
                                {"transfers", count_transfers(schedule)},
                                {"bytes", input.request.bytes},
                                {"cycles", finding.cycles},
                                {"bounds", to_json(finding.bounds)},
                                {"is_optimal", finding.is_optimal},
                                {"gap", nullptr},
                                {"chunks_tried", finding.parts_tried},
                                {"end", to_string(finding.end)}};
    if (finding.gap)
        json["gap"] = *finding.gap;
    if (is_in_steps(schedule)) {
        json["steps"] = count_steps(schedule);
        json["rounds"] = count_rounds(schedule);
    }
    return json;
}

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
                       now.engine, now.parts, now.parts == 1 ? "" : "s");
}

void print_finding(const ChunkInput& input, const ChunkFinding& finding)
{
    const Schedule& schedule = finding.schedule;
    fmt::print("{}\nobjective    {}{}\n", chunk_heading(schedule.collective, input.topology.name()),
               to_string(input.request.objective), finding.is_optimal ? ", which is optimal" : "");
    if (is_in_steps(schedule))
        fmt::print("steps        {}, rounds {}: {:.6g} rounds a chunk\n", count_steps(schedule),
                   count_rounds(schedule),
                   static_cast<double>(count_rounds(schedule)) / schedule.collective.parts);
    fmt::print("time         {:.6g} cycles for {:.6g} bytes\n", finding.cycles, input.request.bytes);
    print_bounds(finding.bounds, input.network);
    if (finding.gap)
        fmt::print("gap          {} in {}\n",
                   finding.gap < 5e-6 ? "none" : fmt::format("{:.3g} %", 100 * *finding.gap),
                   counted_by(input.request.objective));
    fmt::print("engine       {}, {} transfers\n", finding.engine, count_transfers(schedule));
    fmt::print("search       {}{}\n", to_string(finding.end),
               finding.parts_tried.empty()
                   ? ""
                   : fmt::format("; {} numbers of chunks from {} to {}", finding.parts_tried.size(),
                                 finding.parts_tried.front(), finding.parts_tried.back()));
}

/// Where it is in a foreign file.
std::optional<std::string> place_of(const JudgedChunks& judged, const Violation& violation)
{
    if (!violation.transfer || judged.places.empty())
        return std::nullopt;
    return judged.places[TransferList(judged.schedule).number_of(violation.step, *violation.transfer)];
}

Table chunk_violation_table(const JudgedChunks& judged)
{
    const auto rule = [](const Violation& violation) { return std::string(to_string(violation.rule)); };
    const auto text = [&](const Violation& violation) {
        const auto place = place_of(judged, violation);
        return place ? fmt::format("{}: {}", *place, violation.text) : violation.text;
    };
    return table_of("", judged.violations, {{"rule", "", rule}, {"violation", "", text}});
}

nlohmann::ordered_json chunk_verdict(const JudgedChunks& judged)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Violation& violation : judged.violations) {
        list.push_back(to_json(violation));
        if (const auto place = place_of(judged, violation))
            list.back()["place"] = *place;
    }
    return {{"schedule", judged.schedule.name},
            {"topology", judged.network.name()},
            {"collective", to_string(judged.schedule.collective.kind)},
            {"chunks", judged.schedule.collective.parts},
            {"transfers", count_transfers(judged.schedule)},
            {"bytes", judged.cycles ? nlohmann::ordered_json(judged.bytes) : nullptr},
            {"cycles", judged.cycles ? nlohmann::ordered_json(*judged.cycles) : nullptr},
            {"link_order", judged.order_is_open ? "chosen" : "given"},
            {"chosen_paths", judged.chosen_paths},
            {"valid", judged.violations.empty()},
            {"violations", std::move(list)}};
}

void print_chunk_verdict(const JudgedChunks& judged)
{
    const Schedule& schedule = judged.schedule;
    std::cout << fmt::format("{}{}{}, {} transfers: ", schedule.name, schedule.name.empty() ? "" : ": ",
                             chunk_heading(schedule.collective, judged.network.name()),
                             count_transfers(schedule));
    if (is_in_steps(schedule))
        std::cout << fmt::format("{} steps, {} rounds: ", count_steps(schedule), count_rounds(schedule));
    if (judged.violations.empty()) {
        std::cout << fmt::format("valid\ntime         {:.6g} cycles for {} bytes\n", *judged.cycles,
                                 judged.bytes);
        if (judged.order_is_open)
            std::cout << "order        left open by the file: links carry first what comes first\n";
        if (judged.chosen_paths > 0)
            std::cout << fmt::format("paths        {} left open by the file: shortest ones, evenly loaded\n",
                                     judged.chosen_paths);
        return;
    }
    const std::size_t count = judged.violations.size();
    std::cout << fmt::format("{} violation{}\n", count, count == 1 ? "" : "s");
    print_text(std::cout, chunk_violation_table(judged));
}

} // namespace

int schedule_chunks(const OptionValues& given)
{
    const StopOnSignal signals;
    ChunkInput input = chunk_input(given);
    if (input.request.latency_holds_link && input.request.objective != ChunkObjective::time)
        throw std::invalid_argument(fmt::format(
            "--latency-holds-link: no --objective {} beside it: it takes a schedule without barriers",
            to_string(input.request.objective)));
    input.request.topology = &input.topology;
    input.request.stop = &signals.flag();
    std::optional<ChunkFinding> finding;
    try {
        ProgressLine line("schedule");
        input.request.on_progress = [&](const SearchProgress& now) {
            line.show_text(objective_progress_text(now, input.request.objective));
        };
        finding = find_chunked_schedule(input.network, input.request);
    } catch (const std::runtime_error&) {
        signals.throw_if_interrupted(); // before anything was found
        throw;
    }
    if (!finding)
        throw std::invalid_argument(fmt::format("{}: a receiver cannot be reached", input.topology.name()));
    finding->schedule.topology = input.topology.name();
    finding->schedule.bytes = parse_size(given.text("bytes"));
    if (given.has("output"))
        save_schedule(given.text("output"), finding->schedule, input.topology,
                      {{"lower_bounds", to_json(finding->bounds)}}, input.defaults);
    if (given.is_on("json"))
        std::cout << chunk_document(input, *finding).dump(2) << '\n';
    else
        print_finding(input, *finding);
    if (!given.is_on("json") && !given.has("output"))
        fmt::print("{}\n", not_kept_text);
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
    if (given.is_on("json"))
        std::cout << chunk_verdict(judged).dump(2) << '\n';
    else
        print_chunk_verdict(judged);
    return judged.violations.empty() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
