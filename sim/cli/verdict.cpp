#include "sim/cli/verdict.hpp"

#include "schedules/collective/kind_names.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/command.hpp"
#include "sim/report/columns.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>

namespace nocturne::cli {

namespace {

Table violation_table(const std::vector<Violation>& violations)
{
    const auto rule = [](const Violation& violation) { return std::string(to_string(violation.rule)); };
    return table_of("", violations, {{"rule", "", rule}, {"violation", "", &Violation::text}});
}

nlohmann::json document(const InputSchedule& input, const std::vector<Violation>& violations)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Violation& violation : violations)
        list.push_back(nlohmann::json(to_json(violation)));
    return {{"schedule", input.schedule.name},
            {"topology", input.topology.name()},
            {"collective", paper_name(input.schedule.collective.kind)},
            {"ports", to_string(input.schedule.ports)},
            {"steps", input.schedule.steps.size()},
            {"transfers", count_transfers(input.schedule)},
            {"paths_completed", input.is_completed},
            {"valid", violations.empty()},
            {"violation_count", count_violations(violations)},
            {"violations", std::move(list)},
            {"unrouted", input.unrouted}};
}

void print_text(const InputSchedule& input, const std::vector<Violation>& violations)
{
    std::cout << fmt::format("{}: {} on {}, ports {}, {} steps, {} transfers{}: ", input.schedule.name,
                             in_words(input.schedule.collective.kind), input.topology.name(),
                             to_string(input.schedule.ports), input.schedule.steps.size(),
                             count_transfers(input.schedule),
                             input.is_completed && input.unrouted.empty() ? ", paths completed" : "");
    if (violations.empty()) {
        std::cout << "valid\n";
        return;
    }
    const std::uint64_t count = count_violations(violations);
    std::cout << fmt::format("{} violation{}\n", count, count == 1 ? "" : "s");
    print_text(std::cout, violation_table(violations));
    for (const std::string& reason : input.unrouted)
        std::cout << reason << '\n';
}

} // namespace

nlohmann::ordered_json to_json(const Violation& violation)
{
    nlohmann::ordered_json entry{{"rule", to_string(violation.rule)}, {"text", violation.text}};
    if (violation.count > 1)
        entry["count"] = violation.count;
    const auto add = [&](const char* name, const auto& value) {
        if (value)
            entry[name] = *value;
    };
    add("step", violation.step);
    add("transfer", violation.transfer);
    add("channel", violation.channel);
    add("processor", violation.processor);
    add("chunk", violation.chunk);
    add("contributor", violation.contributor);
    return entry;
}

int judge(const InputSchedule& input, const OptionValues& given)
{
    const std::vector<Violation> violations = validate(input.schedule, input.topology);
    if (given.is_on("json"))
        std::cout << document(input, violations).dump(2) << '\n';
    else
        print_text(input, violations);
    return violations.empty() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
