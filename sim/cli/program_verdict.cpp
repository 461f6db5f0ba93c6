#include "sim/cli/program_verdict.hpp"

#include "models/topology/topology_files.hpp"
#include "models/traffic/program_checks.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/verdict_files.hpp"
#include "sim/report/progress.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::cli {

namespace {

/// What is printed of programs that are judged.
struct ProgramOutput {
    std::string file;
    const RankPrograms& programs;
    std::optional<std::string> topology;
    std::uint64_t messages;
    std::vector<ViolationRow> violations;
    std::uint64_t violation_count;
    std::vector<std::string> not_judged;
};

Fields<ProgramOutput> fields_of(const ProgramOutput*)
{
    using Output = ProgramOutput;
    return {"validate program",
            "Verdict of the validator on programs of ranks.",
            {{"program", "", "File of the programs.", &Output::file},
             {"format", "", "`GOAL` or `Chakra`.",
              [](const Output& output) {
                  return std::string(output.programs.form == RankPrograms::Form::chakra ? "Chakra" : "GOAL");
              }},
             {"topology", "", "The network; null without one.", &Output::topology},
             {"ranks", "", "Number of ranks.", [](const Output& output) { return output.programs.ranks; }},
             {"operations", "", "Sends, receives and computations.",
              [](const Output& output) { return output.programs.operations.size(); }},
             {"messages", "", "Number of sends.", &Output::messages},
             {"valid", "", "Whether the programs obey all rules that can be judged.",
              [](const Output& output) { return output.violations.empty(); }},
             {"violation_count", "", "Number of violations.", &Output::violation_count},
             {"violations", "", violations_meaning, &Output::violations},
             {"not_judged", "", "Parts without a verdict, one line each.", &Output::not_judged,
              Shown::in_files}}};
}

Rule rule_of(ProgramRule rule)
{
    switch (rule) {
    case ProgramRule::unknown_rank:
        return Rule::unknown_node;
    case ProgramRule::unknown_dependency:
        return Rule::unknown_dependency;
    case ProgramRule::unmatched_message:
    case ProgramRule::mismatched_message:
        return Rule::unmatched_message;
    case ProgramRule::circular_wait:
        break;
    }
    return Rule::circular_wait;
}

std::vector<ViolationRow> defect_rows(const RankPrograms& programs, const std::vector<ProgramDefect>& defects)
{
    std::vector<ViolationRow> rows;
    for (const ProgramDefect& defect : defects)
        rows.push_back({{.rule = rule_of(defect.rule),
                         .processor = defect.rank,
                         .text = defect.text,
                         .count = defect.count},
                        place_of(programs, defect.rank, defect.line)});
    return rows;
}

std::vector<std::string> not_judged(const RankPrograms& programs, const ProgramVerdict& verdict,
                                    bool has_topology)
{
    std::vector<std::string> open{
        fmt::format("contents of messages, and sums: {}", programs.form == RankPrograms::Form::chakra
                                                              ? "Chakra's traces name no data"
                                                              : "GOAL names no data"),
        "sends that wait for their receives: here a send ends by itself"};
    if (!has_topology)
        open.emplace_back("whether a network has the ranks: --topology names one");
    if (verdict.unordered > 0)
        open.push_back(fmt::format("which receive takes which: {} messages of one source, destination and "
                                   "tag that are sent or received in no order",
                                   verdict.unordered));
    return open;
}

} // namespace

const ResultDescription& validate_program_result()
{
    return description_of<ProgramOutput>();
}

int validate_programs(const OptionValues& given)
{
    const char* const only_for_schedules =
        "only for a schedule: programs of ranks have no paths and no costs";
    refuse_given(given, chunk_cost_options(), only_for_schedules);
    refuse_given(given, {"max-slack", "fault", "output"}, only_for_schedules);
    const std::string file = given.text("schedule");
    std::optional<Topology> topology;
    if (given.has("topology"))
        topology = topology_from(given.text("topology"));
    const auto [programs, verdict] = [&] {
        const WaitingLine line("validate");
        RankPrograms read = read_programs(file).value();
        ProgramVerdict judged = judge_programs(read, topology ? &*topology : nullptr);
        return std::pair(std::move(read), std::move(judged));
    }();
    ProgramOutput output{.file = file,
                         .programs = programs,
                         .topology = std::nullopt,
                         .messages = verdict.messages,
                         .violations = defect_rows(programs, verdict.defects),
                         .violation_count = 0,
                         .not_judged = not_judged(programs, verdict, topology.has_value())};
    if (topology)
        output.topology = topology->name();
    for (const ProgramDefect& defect : verdict.defects)
        output.violation_count += defect.count;
    write_verdict_files(output.violations, given);
    print_result(output, given, [&] {
        print_figures(output);
        for (const std::string& open : output.not_judged)
            fmt::print("not judged: {}\n", open);
        if (!output.violations.empty())
            print_below(table_of("Violations", output.violations));
    });
    return output.violations.empty() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
