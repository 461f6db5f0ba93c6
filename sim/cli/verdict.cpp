#include "sim/cli/verdict.hpp"

#include "schedules/collective/kind_names.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"

namespace nocturne::cli {

namespace {

/// What is printed of a schedule that is judged.
struct VerdictOutput {
    const InputSchedule& input;
    std::vector<ViolationRow> violations;
    std::uint64_t violation_count;
};

Fields<VerdictOutput> fields_of(const VerdictOutput*)
{
    using Output = VerdictOutput;
    return {
        "validate",
        "What the validator says of a schedule of messages.",
        {{"schedule", "", "Its name.", [](const Output& output) { return output.input.schedule.name; }},
         {"topology", "", "The network.", [](const Output& output) { return output.input.topology.name(); }},
         {"collective", "", "What it carries out.",
          [](const Output& output) { return in_words(output.input.schedule.collective.kind); }},
         {"ports", "", "Messages that a processor sends, and receives, in a step.",
          [](const Output& output) { return to_string(output.input.schedule.ports); }},
         {"steps", "", "Of it.", [](const Output& output) { return output.input.schedule.steps.size(); }},
         {"transfers", "", "Of it.",
          [](const Output& output) { return count_transfers(output.input.schedule); }},
         {"paths_completed", "", "Were paths searched that the file leaves out?",
          [](const Output& output) { return output.input.is_completed; }},
         {"valid", "", "Does it keep all rules?",
          [](const Output& output) { return output.violations.empty(); }},
         {"violation_count", "", "Also those that are not listed.", &Output::violation_count},
         {"violations", "", violations_meaning, [](const Output& output) { return output.violations; }},
         {"unrouted", "", unrouted_meaning, [](const Output& output) { return output.input.unrouted; }}}};
}

} // namespace

const ResultDescription& validate_result()
{
    return description_of<VerdictOutput>();
}

int judge(const InputSchedule& input, const OptionValues& given)
{
    const std::vector<Violation> violations = validate(input.schedule, input.topology);
    const VerdictOutput output{input, violation_rows(violations), count_violations(violations)};
    print_result(output, given, [&] {
        print_figures(output);
        if (!output.violations.empty())
            print_below(table_of("Violations", output.violations));
    });
    return output.violations.empty() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
