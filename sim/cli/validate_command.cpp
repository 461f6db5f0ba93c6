#include "schedules/formats/foreign_schedule.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/failed_parts.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/program_verdict.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/report/progress.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne::cli {

namespace {

OptionTable options_of_validate()
{
    OptionTable options;
    options.add(schedule_options());
    options.add(
        {{"fault", names_value("F"),
          "failed part, link:A-B, channel:A-B or node:A: transfers that need it are violations; repeatable"},
         {"output,o", written_value("FILE"), "write the schedule, including the paths that were found"},
         {"junit", written_value("FILE"), "write the verdict as JUnit's XML: a test case for each rule"},
         {"sarif", written_value("FILE"), "write the violations as SARIF 2.1.0"}});
    options.add(chunk_cost_options());
    return options;
}

void add_failed_parts(std::vector<Violation>& violations, const Schedule& schedule, const Topology& topology,
                      const OptionValues& given)
{
    const std::vector<std::string> faults = given.texts("fault");
    if (faults.empty())
        return;
    const std::vector<Violation> hit = transfers_hit_by(schedule, topology, parse_faults(topology, faults));
    violations.insert(violations.end(), hit.begin(), hit.end());
}

/// Also how long a schedule in chunks takes.
int validate_chunks(const OptionValues& given, const std::string& file)
{
    refuse_given(given, {"max-slack"}, only_for_messages);
    JudgedChunks judged = [&] {
        const WaitingLine line("validate");
        return judged_chunks(given, file);
    }();
    if (is_in_steps(judged.schedule) && given.has("latency-holds-link") && given.is_on("latency-holds-link"))
        throw std::invalid_argument("--latency-holds-link: only for a schedule without barriers");
    if (judged.topology)
        add_failed_parts(judged.violations, judged.schedule, *judged.topology, given);
    else
        refuse_given(given, {"fault"}, "only for schedules of a network: --topology names it");
    if (judged.violations.empty()) {
        judged.setting = setting_of(given, file, judged.schedule.made_for);
        const AlphaBeta cost = cost_in(judged.setting, judged.schedule.collective);
        if (judged.order_is_open)
            order_links(judged.schedule, judged.network, cost);
        judged.cycles = time_of(judged.schedule, judged.network, cost);
    }
    if (given.has("output") && judged.violations.empty()) {
        if (!judged.topology)
            throw std::invalid_argument("--output is for schedules of a network: --topology names it");
        judged.schedule.topology = judged.topology->name();
        if (!judged.claims.contains("made_by"))
            judged.claims["made_by"] = to_json(origin_of(given));
        save_schedule(given.text("output"), judged.schedule, *judged.topology, judged.claims,
                      judged.defaults);
    }
    return judge(judged, given);
}

int run_validate(const OptionValues& given)
{
    refuse_given(given, {"seed"}, nothing_random);
    const FileKind kind = kind_of_file(given.text("schedule"));
    if (kind == FileKind::programs)
        return validate_programs(given);
    if (kind == FileKind::chunks || kind == FileKind::foreign)
        return validate_chunks(given, given.text("schedule"));
    refuse_given(given, chunk_cost_options(), "only for a schedule in chunks, not of whole messages");
    std::vector<Violation> violations;
    InputSchedule input = [&] {
        const WaitingLine line("validate");
        InputSchedule read = schedule_of(given);
        violations = validate(read.schedule, read.topology);
        add_failed_parts(violations, read.schedule, read.topology, given);
        return read;
    }();
    if (given.has("output")) {
        // A copy has the name that is written, and none if there is none.
        std::string name = input.has_name ? input.schedule.name : std::string();
        std::swap(name, input.schedule.name);
        if (!input.claims.contains("made_by"))
            input.claims["made_by"] = to_json(origin_of(given));
        save_schedule(given.text("output"), input.schedule, input.topology, input.claims);
        std::swap(name, input.schedule.name);
    }
    return judge(input, violations, given);
}

} // namespace

Command validate_command()
{
    return {{.command = "validate",
             .summary = "check a schedule, or programs of ranks, by every rule",
             .positional = "schedule",
             .description = "Checks a schedule by every rule and reports every violation with step, transfer "
                            "and channel.\nIf the file omits paths, they are searched first. For a schedule "
                            "in chunks it also prints the time.\nOf programs of ranks, in GOAL or Chakra's "
                            "traces, it checks "
                            "messages and waits, and says what is not\njudged.\n",
             .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                          "nocturne validate aas.json"}},
            options_of_validate,
            run_validate,
            {validate_result, validate_program_result}};
}

} // namespace nocturne::cli
