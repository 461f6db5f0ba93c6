#include "models/topology/files.hpp"
#include "schedules/chunk_certificate/chunk_bound_json.hpp"
#include "schedules/chunks/chunk_validator.hpp"
#include "schedules/chunks/chunked_schedule_json.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/report/columns.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>

namespace nocturne::cli {

namespace {

bool in_steps(const ChunkedSchedule& schedule)
{
    return schedule.synchronization == ChunkSynchronization::steps;
}

/// `allgather in 3 chunks on mesh:2x2`
std::string chunk_heading(const ChunkedCollective& collective, const std::string& network)
{
    return fmt::format("{} in {} chunk{} on {}", to_string(collective.kind), collective.parts,
                       collective.parts == 1 ? "" : "s", network);
}

nlohmann::ordered_json chunk_document(const ChunkInput& input, const ChunkFinding& finding)
{
    const ChunkedSchedule& schedule = finding.schedule;
    nlohmann::ordered_json json{{"topology", input.topology.name()},
                                {"collective", to_string(schedule.collective.kind)},
                                {"chunks", schedule.collective.parts},
                                {"objective", to_string(input.request.objective)},
                                {"engine", finding.engine},
                                {"steps", nullptr},
                                {"rounds", nullptr},
                                {"transfers", schedule.transfers.size()},
                                {"bytes", input.request.bytes},
                                {"cycles", finding.cycles},
                                {"bound", finding.bound},
                                {"certificate", nullptr},
                                {"is_optimal", finding.is_optimal}};
    if (finding.rounds_bound)
        json["certificate"] = to_json(*finding.rounds_bound);
    if (in_steps(schedule)) {
        json["steps"] = count_steps(schedule);
        json["rounds"] = count_rounds(schedule);
    }
    return json;
}

void print_finding(const ChunkInput& input, const ChunkFinding& finding)
{
    const ChunkedSchedule& schedule = finding.schedule;
    fmt::print("{}\nobjective    {}{}\n", chunk_heading(schedule.collective, input.topology.name()),
               to_string(input.request.objective), finding.is_optimal ? ", which is optimal" : "");
    if (in_steps(schedule))
        fmt::print("steps        {}, rounds {}: {:.6g} rounds a chunk\n", count_steps(schedule),
                   count_rounds(schedule),
                   static_cast<double>(count_rounds(schedule)) / schedule.collective.parts);
    fmt::print("time         {:.6g} cycles for {:.6g} bytes\n", finding.cycles, input.request.bytes);
    if (!finding.bound.empty())
        fmt::print("bound        {}\n", finding.bound);
    fmt::print("engine       {}, {} transfers\n", finding.engine, schedule.transfers.size());
}

Table chunk_violation_table(const std::vector<ChunkViolation>& violations)
{
    const auto rule = [](const ChunkViolation& violation) { return std::string(to_string(violation.rule)); };
    return table_of("", violations, {{"rule", "", rule}, {"violation", "", &ChunkViolation::text}});
}

nlohmann::ordered_json chunk_verdict(const LoadedChunkedSchedule& loaded,
                                     const std::vector<ChunkViolation>& violations)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ChunkViolation& violation : violations) {
        nlohmann::ordered_json entry{{"rule", to_string(violation.rule)}, {"text", violation.text}};
        if (violation.transfer)
            entry["transfer"] = *violation.transfer;
        if (violation.link)
            entry["link"] = *violation.link;
        if (violation.node)
            entry["node"] = *violation.node;
        if (violation.chunk)
            entry["chunk"] = *violation.chunk;
        if (violation.contributor)
            entry["contributor"] = *violation.contributor;
        list.push_back(std::move(entry));
    }
    return {{"schedule", loaded.schedule.name},
            {"topology", loaded.topology.name()},
            {"collective", to_string(loaded.schedule.collective.kind)},
            {"chunks", loaded.schedule.collective.parts},
            {"transfers", loaded.schedule.transfers.size()},
            {"valid", violations.empty()},
            {"violations", std::move(list)}};
}

void print_chunk_verdict(const LoadedChunkedSchedule& loaded, const std::vector<ChunkViolation>& violations)
{
    const ChunkedSchedule& schedule = loaded.schedule;
    std::cout << fmt::format("{}{}{}, {} transfers: ", schedule.name, schedule.name.empty() ? "" : ": ",
                             chunk_heading(schedule.collective, loaded.topology.name()),
                             schedule.transfers.size());
    if (in_steps(schedule))
        std::cout << fmt::format("{} steps, {} rounds: ", count_steps(schedule), count_rounds(schedule));
    if (violations.empty()) {
        std::cout << "valid\n";
        return;
    }
    std::cout << fmt::format("{} violation{}\n", violations.size(), violations.size() == 1 ? "" : "s");
    print_text(std::cout, chunk_violation_table(violations));
}

} // namespace

int schedule_chunks(const OptionValues& given)
{
    const ChunkInput input = chunk_input(given);
    require_file_places(given, {"output"});
    auto finding = find_chunked_schedule(input.network, input.request);
    if (!finding)
        throw std::invalid_argument(fmt::format("{}: a receiver cannot be reached", input.topology.name()));
    finding->schedule.topology = input.topology.name();
    if (given.has("output"))
        save_chunked_schedule(given.text("output"), finding->schedule, input.topology, input.defaults);
    if (given.is_on("json"))
        std::cout << chunk_document(input, *finding).dump(2) << '\n';
    else
        print_finding(input, *finding);
    std::fflush(stdout);
    return all_is_well;
}

int judge_chunks(const OptionValues& given, const std::string& file)
{
    const LoadedChunkedSchedule loaded = load_chunked_schedule(file);
    const std::vector<ChunkViolation> violations = validate(loaded.schedule, loaded.network);
    if (given.is_on("json"))
        std::cout << chunk_verdict(loaded, violations).dump(2) << '\n';
    else
        print_chunk_verdict(loaded, violations);
    return violations.empty() ? all_is_well : check_failed;
}

bool is_chunk_file(const std::string& file)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        return false;
    std::string head(256, '\0');
    std::ifstream stream(file);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    return is_chunked_schedule(head);
}

} // namespace nocturne::cli
