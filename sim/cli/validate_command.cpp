#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"

#include <utility>

namespace nocturne::cli {

namespace {

Usage usage_of_validate()
{
    return {.command = "validate",
            .summary = "judge a schedule; find the paths that it leaves out",
            .positional = "schedule",
            .description =
                "Judges a schedule by every rule and reports every violation, with step, transfer "
                "and channel.\nPaths that the file leaves out are searched first. Of a schedule in "
                "chunks it says how long it takes.\n",
            .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                         "nocturne validate aas.json"}};
}

OptionTable options_of_validate()
{
    OptionTable options;
    options.add(schedule_options());
    options.add(
        {{"output,o", written_value("FILE"), "write the schedule, with the paths that were found for it"}});
    options.add(chunk_cost_options());
    return options;
}

int run_validate(const OptionValues& given)
{
    refuse_given(given, {"seed"}, takes_chance);
    const FileKind kind = kind_of_file(given.text("schedule"));
    if (kind == FileKind::chunks || kind == FileKind::foreign)
        return judge_chunks(given, given.text("schedule"));
    refuse_given(given, chunk_cost_options(), "a schedule in chunks, not of whole messages");
    InputSchedule input = schedule_of(given);
    if (given.has("output")) {
        // A copy has the name that is written, and none if there is none.
        std::string name = input.has_name ? input.schedule.name : std::string();
        std::swap(name, input.schedule.name);
        save_schedule(given.text("output"), input.schedule, input.topology, input.claims);
        std::swap(name, input.schedule.name);
    }
    return judge(input, given);
}

} // namespace

Command validate_command()
{
    return {usage_of_validate(), options_of_validate, run_validate};
}

} // namespace nocturne::cli
