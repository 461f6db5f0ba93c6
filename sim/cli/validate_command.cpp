#include "schedules/schedule/validator.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>

#include <iostream>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

Table violation_table(const std::vector<Violation>& violations)
{
    Table table{"", {{"rule", "", Align::left}, {"violation", "", Align::left}}, {}};
    for (const Violation& violation : violations)
        table.add_row({std::string(to_string(violation.rule)), violation.text});
    return table;
}

nlohmann::json document(const InputSchedule& input, const std::vector<Violation>& violations)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Violation& violation : violations) {
        nlohmann::json entry{{"rule", to_string(violation.rule)}, {"text", violation.text}};
        if (violation.step)
            entry["step"] = *violation.step;
        if (violation.transfer)
            entry["transfer"] = *violation.transfer;
        if (violation.channel)
            entry["channel"] = *violation.channel;
        if (violation.processor)
            entry["processor"] = *violation.processor;
        list.push_back(std::move(entry));
    }
    return {{"schedule", input.schedule.name},
            {"topology", input.topology.name()},
            {"collective", to_string(input.schedule.collective.kind)},
            {"ports", to_string(input.schedule.ports)},
            {"steps", input.schedule.steps.size()},
            {"transfers", count_transfers(input.schedule)},
            {"paths_completed", input.is_completed},
            {"valid", violations.empty()},
            {"violations", std::move(list)}};
}

} // namespace

int run_validate(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(schedule_options());
    options.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                          "write the schedule, with the paths that were found for it");
    const po::variables_map map =
        parse({"validate", "schedule",
               "Judges a schedule by every rule and reports every violation, with step, transfer "
               "and channel.\nPaths that the file leaves out are searched first.\n"},
              arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    const InputSchedule input = schedule_of(map);
    const std::vector<Violation> violations = validate(input.schedule, input.topology);
    if (map.count("output") != 0)
        save_schedule(map["output"].as<std::string>(), input.schedule, input.topology);
    if (map["json"].as<bool>()) {
        std::cout << document(input, violations).dump(2) << '\n';
    } else {
        std::cout << fmt::format("{}: {} on {}, ports {}, {} steps, {} transfers{}: ", input.schedule.name,
                                 to_string(input.schedule.collective.kind), input.topology.name(),
                                 to_string(input.schedule.ports), input.schedule.steps.size(),
                                 count_transfers(input.schedule),
                                 input.is_completed ? ", paths completed" : "");
        if (violations.empty()) {
            std::cout << "valid\n";
        } else {
            std::cout << fmt::format("{} violation{}\n", violations.size(),
                                     violations.size() == 1 ? "" : "s");
            print_text(std::cout, violation_table(violations));
        }
    }
    return violations.empty() ? all_is_well : check_failed;
}

} // namespace nocturne::cli
