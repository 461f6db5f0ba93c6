#include "sim/cli/verdict.hpp"

#include "schedules/collective/kind_names.hpp"
#include "sim/cli/chunk_figures.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/verdict_files.hpp"

namespace nocturne::cli {

namespace {

/// What is printed of a schedule that is judged.
struct VerdictOutput {
    const Schedule& schedule;
    std::string topology;
    std::vector<ViolationRow> violations;
    std::uint64_t violation_count;
    const InputSchedule* messages = nullptr;
    const JudgedChunks* chunks = nullptr; ///< if it is of chunks
    ChunkFigures figures = {};
};

Fields<VerdictOutput> fields_of(const VerdictOutput*)
{
    using Output = VerdictOutput;
    const auto of_chunks = [](auto get) {
        return [get](const Output& output) {
            return output.chunks == nullptr ? std::nullopt : std::optional(get(*output.chunks));
        };
    };
    return Fields<Output>{
        "validate",
        "Verdict of the validator on a schedule.",
        {{"schedule", "", "Name of the schedule.", [](const Output& output) { return output.schedule.name; }},
         {"topology", "", "The network.", &Output::topology},
         {"collective", "", "The collective communication.",
          [](const Output& output) { return std::string(to_string(output.schedule.collective.kind)); }},
         {"chunks", "", "Chunks per block.",
          [](const Output& output) { return output.schedule.collective.parts; }},
         {"ports", "", ports_meaning,
          [](const Output& output) {
              return output.chunks == nullptr ? to_string(output.schedule.ports) : "";
          }},
         {"steps", "", "Steps of the schedule; null if it has dependencies instead of steps.",
          [](const Output& output) { return steps_of(output.schedule); }},
         {"transfers", "", "Transfers from one processor to another.",
          [](const Output& output) { return count_sent(output.schedule); }},
         {"local", "", "Copies and additions within a processor, between places of its memory; null: none.",
          [](const Output& output) {
              const std::size_t count = count_local(output.schedule);
              return count == 0 ? std::nullopt : std::optional(count);
          }}}}
        .with(&Output::figures)
        .with({{"paths_completed", "", "Whether paths that the file omits were searched.",
                [](const Output& output) {
                    return output.chunks == nullptr ? output.messages->is_completed
                                                    : output.chunks->chosen_paths > 0;
                }},
               {"chosen_paths", "",
                "Paths chosen because the file of another tool leaves them open: shortest, evenly loaded.",
                of_chunks([](const JudgedChunks& chunks) { return chunks.chosen_paths; })},
               {"link_order", "", "Order of chunks on links: `given` by the file, or `chosen`.",
                of_chunks([](const JudgedChunks& chunks) {
                    return std::string(chunks.order_is_open ? "chosen" : "given");
                })},
               {"valid", "", "Whether the schedule obeys all rules.",
                [](const Output& output) { return output.violations.empty(); }},
               {"violation_count", "", "Number of violations, including those not listed.",
                &Output::violation_count},
               {"violations", "", violations_meaning, [](const Output& output) { return output.violations; }},
               {"unrouted", "", unrouted_meaning, [](const Output& output) {
                    return output.messages == nullptr ? std::vector<std::string>()
                                                      : output.messages->unrouted;
                }}});
}

/// Where it is in a foreign file.
std::string place_of(const JudgedChunks& judged, const Violation& violation)
{
    if (!violation.transfer || judged.places.empty())
        return {};
    return judged.places[TransferList(judged.schedule).number_of(violation.step, *violation.transfer)];
}

VerdictOutput output_of(const JudgedChunks& judged)
{
    std::vector<ViolationRow> rows = violation_rows(judged.violations);
    for (ViolationRow& row : rows)
        row.place = place_of(judged, row.violation);
    return {.schedule = judged.schedule,
            .topology = judged.network.name(),
            .violations = std::move(rows),
            .violation_count = count_violations(judged.violations),
            .chunks = &judged,
            .figures = {&judged.schedule, judged.setting, judged.cycles}};
}

int print(const VerdictOutput& output, const OptionValues& given)
{
    if (given.options().find("junit") != nullptr)
        write_verdict_files(output.violations, given);
    print_result(output, given, [&] {
        print_figures(output);
        if (!output.violations.empty())
            print_below(table_of("Violations", output.violations));
    });
    return output.violations.empty() ? all_is_well : check_failed;
}

} // namespace

const ResultDescription& validate_result()
{
    return description_of<VerdictOutput>();
}

int judge(const InputSchedule& input, const OptionValues& given)
{
    return judge(input, validate(input.schedule, input.topology), given);
}

int judge(const InputSchedule& input, const std::vector<Violation>& violations, const OptionValues& given)
{
    return print({.schedule = input.schedule,
                  .topology = input.topology.name(),
                  .violations = violation_rows(violations),
                  .violation_count = count_violations(violations),
                  .messages = &input},
                 given);
}

int judge(const JudgedChunks& judged, const OptionValues& given)
{
    return print(output_of(judged), given);
}

nlohmann::ordered_json verdict_on(const JudgedChunks& judged)
{
    return output_of(judged);
}

} // namespace nocturne::cli
