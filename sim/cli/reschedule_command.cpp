#include "models/text/json_text.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/files.hpp"
#include "schedules/reschedule/reschedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/reschedule_chunks.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/recovery/fault_report.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/results.hpp"
#include "sim/result_files/problem_text.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// What is printed of one new schedule.
struct RescheduleOutput {
    Finding finding;
    std::string before; ///< name of the old schedule
    const RescheduleResult& result;
    std::string converted;
};

Fields<RescheduleOutput> fields_of(const RescheduleOutput*)
{
    using Output = RescheduleOutput;
    const auto changed = [](std::size_t ScheduleChanges::* member) {
        return [member](const Output& output) {
            return output.result.schedule ? std::optional(output.result.changes.*member) : std::nullopt;
        };
    };
    return Fields<Output>{"reschedule",
                          "A schedule repaired after faults.",
                          {{"schedule", "", "Name of the old schedule.", &Output::before, Shown::in_files},
                           {"steps_before", "", "Steps of the old schedule.",
                            [](const Output& output) { return output.result.steps_before; }}}}
        .with(&Output::finding)
        .with({{"met_the_fault", "transfers", "Transfers whose source, destination or path has failed.",
                [](const Output& output) { return output.result.met; }},
               {"kept", "transfers", "Unchanged transfers; null without a schedule.",
                changed(&ScheduleChanges::kept)},
               {"changed", "transfers", "Transfers with another step or path.",
                changed(&ScheduleChanges::changed)},
               {"dropped", "transfers", "Transfers that are no longer needed.",
                changed(&ScheduleChanges::dropped)},
               {"added", "transfers", "New transfers.", changed(&ScheduleChanges::added)},
               {"seconds", "s", seconds_meaning, [](const Output& output) { return output.result.seconds; }},
               {"interrupted", "", interrupted_meaning,
                [](const Output& output) { return output.result.signal != 0; }, Shown::in_files},
               {"converted", "", converted_meaning, &Output::converted, Shown::in_files}});
}

RescheduleOptions reschedule_options(const OptionValues& given)
{
    RescheduleOptions options;
    if (given.is_on("keep"))
        options.aim = RescheduleAim::fewest_changes;
    options.budget = given.seconds("budget");
    options.seed = given.count("seed");
    options.workers = given.workers();
    return options;
}

int reschedule_one(const OptionValues& given)
{
    if (given.has("output"))
        require_file_place(given.text("output"));
    if (!given.has("fault"))
        throw std::invalid_argument("--fault is missing: link:A-B, channel:A-B or node:A");
    const InputSchedule input = schedule_of(given);
    RescheduleOptions options = reschedule_options(given);
    if (!validate(input.schedule, input.topology).empty())
        return judge(input, given);
    const RescheduleResult result = [&] {
        ProgressLine line("reschedule");
        options.on_progress = [&](const SearchProgress& now) {
            line.show_text(progress_text("reschedule", now));
        };
        return reschedule(input.schedule, input.topology, given.texts("fault"), options);
    }();
    if (given.has("output") && result.schedule)
        save_result(given.text("output"), result.problem, result.bound, result.schedule,
                    to_json(origin_of(given)));
    print_conversion(input, given);
    const RescheduleOutput output{finding_of(result.problem, result.schedule ? &*result.schedule : nullptr,
                                             &result.bound, result.engine),
                                  input.schedule.name, result, converted_text(input)};
    print_result(output, given, [&] { print_finding(output.finding, output); });
    std::fflush(stdout);
    if (result.signal != 0)
        return 128 + result.signal;
    return result.schedule ? all_is_well : check_failed;
}

/// `AAS,AAB` and repeated options: one problem for each, on the network without a fault.
std::vector<Problem> problems_of(const OptionValues& given)
{
    if (!given.has("collective"))
        throw std::invalid_argument("--collective is missing: AAS, or several, AAS,AAB,OAS");
    const auto& spec = given.text("schedule");
    if (given.has("topology"))
        throw std::invalid_argument(
            fmt::format("--topology: with --table the positional argument, {}, is the network", spec));
    std::vector<Problem> problems;
    // A comma too many asks for a collective without a name.
    for (const std::string& kind : parts_of(fmt::format("{}", fmt::join(given.texts("collective"), ",")))) {
        ProblemText text;
        text.topology = spec;
        text.collective = kind;
        if (has_root(parse_collective_kind(kind)))
            text.source = given.text("source");
        text.ports = given.text("ports");
        text.switching = given.text("switching");
        if (given.has("slack"))
            text.slack = given.small_count("slack");
        Problem problem = make_problem(text);
        for (const Problem& other : problems)
            if (collective_label(other) == collective_label(problem))
                throw std::invalid_argument(
                    fmt::format("--collective {}: it is given twice", collective_label(problem)));
        problems.push_back(std::move(problem));
    }
    return problems;
}

void require_collectives(const std::string& names)
{
    for (const std::string& name : parts_of(names))
        parse_collective_kind(name);
}

void write_table(const OptionValues& given, const FaultTable& table, const FaultReport& report)
{
    write_folder(given.text("output"), [&](const FolderSink& write) {
        write("faults.csv", csv_of(fault_table_of(table)));
        write("reschedules.csv", csv_of(table_of("Re-schedules", report.cells)));
        write("summary.csv", csv_of(table_of("Summary", report.summary)));
        write("faults.json", json_text(document_of(report, given), 2) + "\n");
        if (table.topology.router_count() > largest_drawing_routers)
            return;
        for (std::size_t i = 0; i < table.problems.size(); ++i) {
            std::string name = collective_label(table.problems[i]);
            std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
            write(name + ".svg", fault_picture(table, i));
        }
    });
}

int reschedule_all(const OptionValues& given)
{
    if (given.has("output"))
        require_folder_place(given.text("output"));
    refuse_given(given, {"fault", "max-slack"}, "not with --table");
    const FaultKind kind = parse_fault_kind(given.text("table"));
    const std::vector<Problem> problems = problems_of(given);
    FaultTableOptions options;
    options.workers = given.workers();
    options.reschedule.budget = given.seconds("budget");
    options.reschedule.seed = given.count("seed");
    if (given.is_on("keep"))
        options.reschedule.aim = RescheduleAim::fewest_changes;
    const FaultTable table = [&] {
        ProgressLine line("reschedule");
        options.reschedule.on_progress = [&](const SearchProgress& now) {
            line.show_text(progress_text("reschedule", now));
        };
        options.on_progress = [&](std::size_t done, std::size_t total) { line.update(done, total); };
        return fault_table(problems, kind, options);
    }();
    const FaultReport report = fault_report(table);
    if (given.has("output"))
        write_table(given, table, report);
    print_result(report, given, [&] {
        print_text(std::cout, fault_table_of(table));
        print_below(table_of("Summary", report.summary));
    });
    for (std::size_t i = 0; i < problems.size(); ++i)
        if (summarize(table, i).unsolved > 0)
            return check_failed;
    return all_is_well;
}

OptionTable options_of_reschedule()
{
    OptionTable options;
    options.add(schedule_options());
    options.add(option_table(
        "Faults",
        {{"fault", names_value("F"), "failed part: link:A-B, channel:A-B or node:A; repeatable"},
         {"keep", switch_value(),
          "change as few transfers as possible; do not search for fewer steps than the repair needs"},
         {"budget", seconds_value(60), "time limit of the search; with --table, of each search"},
         {"output,o", written_value("FILE", Written::file_or_folder),
          "write the new schedule with its lower bound and certificate"}}));
    OptionTable table =
        option_table("Table of all faults",
                     {{"table", text_value("KIND").parsed_by(parse_fault_kind),
                       "repair after every single fault of a kind: link, channel, node or link-pairs; the "
                       "positional argument is the network, --output a folder for tables and figures"}});
    OptionTable problems; // a schedule file says these itself
    problems.add({{"collective", texts_value("LIST").parsed_by(require_collectives),
                   "collectives of --table: AAS, or AAS,AAB,OAS"},
                  {"source", name_value("V"), "root of OAB, OAS, AOG and AOR; default: the first processor"},
                  {"ports", text_value("K").parsed_by(parse_port_model),
                   "port model: a number or all; default: the network's"},
                  {"slack", count_value("N", slack_range),
                   "paths have at most N hops more than the shortest; default: any path"},
                  {"switching", text_value("HOW").parsed_by(parse_switching),
                   "wormhole or store-and-forward; default: wormhole"}});
    table.add_rows_of(problems.needing("table"));
    table.add_rows_of(chunk_cost_options().needing("table"));
    options.add(table);
    return options;
}

int run_reschedule(const OptionValues& given)
{
    if (!given.has("table"))
        return reschedule_one(given);
    return is_chunk_table(given) ? reschedule_chunks(given) : reschedule_all(given);
}

} // namespace

Command reschedule_command()
{
    return {
        {.command = "reschedule",
         .summary = "repair a schedule after faults",
         .positional = "schedule",
         .description =
             "Repairs a schedule after faults: keeps the transfers that still work, replaces the others "
             "and reports both.\nWith --table it does so for every fault of a network; with --bytes too, of "
             "schedules in chunks: the\nbest one after each fault beside its bound.\n",
         .examples =
             {"nocturne schedule mesh:3x3 --collective AAS -o mesh.json",
              "nocturne reschedule mesh.json --fault link:01-02 -o repaired.json",
              "nocturne reschedule --table channel ring:4 --collective OAB,OAS -o faults",
              "nocturne reschedule --table link dgx1 --collective allreduce --bytes 64MiB --budget 5"}},
        options_of_reschedule,
        run_reschedule,
        {description_of<RescheduleOutput>, description_of<FaultReport>, chunk_faults_result}};
}

} // namespace nocturne::cli
