#include "testbenches/evolution/success.hpp"

#include "schedules/portfolio/portfolio.hpp"
#include "sim/evolution/evolve.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::evolution {
namespace {

// The table's cells are values to print; those of the papers' tables are what this is about.
using Value = nocturne::Cell;

/// Generations are UMDA's limit: they say how many solutions it makes. Evaluations are that of the other
/// engines.
struct Budget {
    std::uint64_t evaluations;
    std::uint64_t generations;
};

std::vector<EvolutionRun> runs_of(const Problem& problem, const PrintedCell& cell, unsigned steps,
                                  const Budget& budget, const Limits& limits)
{
    EvolveOptions options;
    options.parameters = default_parameters(cell.engine);
    // Where the schedule needs more than minimal paths, the lists of the genes have them.
    if (auto* const mboa = std::get_if<MboaParameters>(&options.parameters))
        mboa->paths.slack = problem.slack.value_or(0);
    if (auto* const hgsa = std::get_if<HgsaParameters>(&options.parameters); hgsa && problem.slack) {
        hgsa->slack = *problem.slack;
        hgsa->most_paths = 1000;
    }
    options.steps = steps;
    options.runs = limits.runs;
    options.seed = limits.seed;
    if (cell.engine == "umda")
        options.generations = budget.generations;
    else
        options.evaluations = budget.evaluations;
    options.budget = limits.budget;
    options.workers = limits.workers;
    options.record_history = true;
    return evolve(problem, options).runs;
}

Value percent(const std::vector<EvolutionRun>& runs)
{
    return runs.empty() ? Value{} : Value{Real{success_rate(runs).percent(), 0}};
}

Value count(const std::optional<unsigned>& number)
{
    return number ? Value{std::uint64_t{*number}} : Value{};
}

/// A mean of the successful runs; nothing if there are none.
Value mean(const std::vector<EvolutionRun>& runs, double SuccessRate::*what, int digits)
{
    const SuccessRate rate = success_rate(runs);
    return rate.successes == 0 ? Value{} : Value{Real{rate.*what, digits}};
}

} // namespace

Finding examine(const PrintedCell& cell, const Limits& limits)
{
    const Problem problem = make_problem(cell.problem);
    Finding finding{.cell = cell,
                    .participants = participants_of(cell.problem),
                    .ports = ports_of(problem),
                    .processors = problem.topology.processor_count()};
    PortfolioOptions modern;
    modern.workers = limits.workers;
    modern.seed = limits.seed;
    const PortfolioResult best = find_schedule(problem, modern);
    finding.optimum = best.bound.steps;
    finding.is_attained = best.is_optimal();
    finding.modern_engine = best.engine;
    finding.modern_seconds = best.seconds;
    if (cell.printed_steps < finding.optimum)
        return finding;
    finding.at_printed = runs_of(
        problem, cell, cell.printed_steps,
        {cell.evaluations.value_or(limits.evaluations), cell.generations.value_or(limits.generations)},
        limits);
    if (finding.optimum < cell.printed_steps)
        finding.at_optimum = runs_of(problem, cell, finding.optimum,
                                     {limits.optimum_evaluations, limits.optimum_generations}, limits);
    return finding;
}

std::string summary(const Finding& finding)
{
    const PrintedCell& cell = finding.cell;
    std::string text = fmt::format("{} {}{}{}", cell.problem.topology, cell.problem.collective,
                                   finding.participants.empty() ? "" : " ", finding.participants);
    const auto add = [&](unsigned steps, const std::vector<EvolutionRun>& runs) {
        if (const SuccessRate rate = success_rate(runs); rate.runs > 0)
            text += fmt::format(", {} steps: {} {} of {}", steps, cell.engine, rate.successes, rate.runs);
    };
    add(cell.printed_steps, finding.at_printed);
    add(finding.optimum, finding.at_optimum);
    return text;
}

std::string rate_verdict(double percent, std::optional<unsigned> printed_percent)
{
    if (!printed_percent)
        return percent > 0 ? "reached (no rate printed)" : "not reached (no rate printed)";
    return percent >= *printed_percent
               ? "reached"
               : fmt::format("not reached ({:.0f} of {} %)", percent, *printed_percent);
}

std::string verdict(const Finding& finding)
{
    if (finding.at_printed.empty())
        return "no schedule has so few steps";
    return rate_verdict(success_rate(finding.at_printed).percent(), finding.cell.printed_percent);
}

std::vector<Column> cell_columns()
{
    return {{"network", "", Align::left}, {"collective", "", Align::left}, {"participants", "", Align::left},
            {"ports", "", Align::left},   {"engine", "", Align::left},     {"printed", "steps"},
            {"printed success", "%"}};
}

Table success_table(const std::vector<Finding>& findings)
{
    Table table{"Success of the papers' engines", cell_columns(), {}};
    table.columns.insert(
        table.columns.end(),
        {{"success", "%"}, {"optimum", "steps"}, {"success at optimum", "%"}, {"verdict", "", Align::left}});
    for (const Finding& finding : findings)
        table.add_row({finding.cell.problem.topology, finding.cell.problem.collective, finding.participants,
                       finding.ports, finding.cell.engine, std::uint64_t{finding.cell.printed_steps},
                       count(finding.cell.printed_percent), percent(finding.at_printed),
                       std::uint64_t{finding.optimum}, percent(finding.at_optimum), verdict(finding)});
    return table;
}

Table cost_table(const std::vector<Finding>& findings)
{
    Table table = success_table(findings);
    table.columns.insert(table.columns.end(), {{"printed time", "s"},
                                               {"time", "s"},
                                               {"generations", ""},
                                               {"evaluations", ""},
                                               {"evaluations at optimum", ""},
                                               {"modern engine", "", Align::left},
                                               {"modern time", "s"}});
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& finding = findings[i];
        table.rows[i].insert(table.rows[i].end(), {count(finding.cell.printed_seconds),
                                                   mean(finding.at_printed, &SuccessRate::seconds, 3),
                                                   mean(finding.at_printed, &SuccessRate::generations, 0),
                                                   mean(finding.at_printed, &SuccessRate::evaluations, 0),
                                                   mean(finding.at_optimum, &SuccessRate::evaluations, 0),
                                                   finding.modern_engine, Real{finding.modern_seconds, 3}});
    }
    return table;
}

} // namespace nocturne::evolution
