#include "sim/cli/result_output.hpp"

#include "models/text/json_text.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/recovery/fault_report.hpp"
#include "sim/report/benes_results.hpp"
#include "sim/report/closed_loop_results.hpp"
#include "sim/report/contract_results.hpp"
#include "sim/report/evolution_results.hpp"
#include "sim/report/recovery_results.hpp"
#include "sim/report/results.hpp"
#include "sim/traffic/runs_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace nocturne::cli {

nlohmann::ordered_json with_origin(const ResultDescription& kind, const nlohmann::ordered_json& fields,
                                   const OptionValues& given)
{
    nlohmann::ordered_json document{{"result", kind.name}};
    document.update(in_order(kind, fields));
    document["made_by"] = to_json(origin_of(given));
    return document;
}

void print_json(const nlohmann::ordered_json& document)
{
    std::cout << json_text(document, 2) << '\n';
}

void print_below(const Table& table)
{
    print_text(std::cout << '\n', table);
}

void print_figures(const ResultDescription& kind, const nlohmann::ordered_json& fields)
{
    const std::vector<Figure> figures = figures_of(kind, fields);
    std::size_t width = 0;
    for (const Figure& figure : figures)
        width = std::max(width, figure.name.size());
    for (const auto& [name, value] : figures)
        std::cout << fmt::format("{:<{}}  {}\n", name, width, value);
    std::cout.flush();
}

std::vector<const ResultDescription*> all_results()
{
    return {&topology_result(),
            &network_kinds_result(),
            &design_result(),
            &bound_result(),
            &schedule_result(),
            &front_result(),
            &audit_result(),
            &reschedule_result(),
            &description_of<FaultReport>(),
            &chunk_faults_result(),
            &collectives_at_once_result(),
            &evolve_result(),
            &description_of<EvolutionHistory>(),
            &certify_result(),
            &validate_result(),
            &validate_program_result(),
            &replay_result(),
            &description_of<Comparison>(),
            &description_of<RecoveryResult>(),
            &traffic_result(),
            &description_of<TrafficRuns>(),
            &description_of<ClosedLoopResults>(),
            &trace_result(),
            &description_of<ContractResults>(),
            &description_of<BenesResults>(),
            &export_schedule_result(),
            &export_rtl_result(),
            &import_result(),
            &sweep_result(),
            &report_result()};
}

const ResultDescription* find_result(std::string_view name)
{
    const auto all = all_results();
    const auto found = std::ranges::find(all, name, &ResultDescription::name);
    return found == all.end() ? nullptr : *found;
}

} // namespace nocturne::cli
