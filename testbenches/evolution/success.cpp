#include "testbenches/evolution/success.hpp"

#include "schedules/portfolio/portfolio.hpp"
#include "sim/evolution/evolve.hpp"
#include "sim/report/columns.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

namespace nocturne::evolution {
namespace {

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

} // namespace

Finding examine(const PrintedCell& cell, const Limits& limits)
{
    const Problem problem = make_problem(cell.problem);
    Finding finding{.cell = cell,
                    .participants = testbench::participants_of(cell.problem),
                    .ports = testbench::ports_of(problem),
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

Table success_table(const std::vector<Finding>& findings)
{
    const auto problem = [](auto member) {
        return [=](const Finding& finding) { return finding.cell.problem.*member; };
    };
    const auto cell = [](auto member) {
        return [=](const Finding& finding) { return finding.cell.*member; };
    };
    const auto percent = [](auto runs) {
        return [=](const Finding& finding) {
            return (finding.*runs).empty() ? std::nullopt
                                           : std::optional(success_rate(finding.*runs).percent());
        };
    };
    return table_of("Success of the papers' engines", findings,
                    {{"network", "", problem(&ProblemText::topology)},
                     {"collective", "", problem(&ProblemText::collective)},
                     {"participants", "", &Finding::participants},
                     {"ports", "", &Finding::ports},
                     {"engine", "", cell(&PrintedCell::engine)},
                     {"printed", "steps", cell(&PrintedCell::printed_steps)},
                     {"printed success", "%", cell(&PrintedCell::printed_percent)},
                     {"success", "%", percent(&Finding::at_printed), 0},
                     {"optimum", "steps", &Finding::optimum},
                     {"success at optimum", "%", percent(&Finding::at_optimum), 0},
                     {"verdict", "", [](const Finding& finding) { return verdict(finding); }}});
}

Table cost_table(const std::vector<Finding>& findings)
{
    // Means of the successful runs; nothing if there are none.
    const auto mean = [](auto runs, auto what) {
        return [=](const Finding& finding) {
            const SuccessRate rate = success_rate(finding.*runs);
            return rate.successes == 0 ? std::nullopt : std::optional(rate.*what);
        };
    };
    return beside(
        success_table(findings),
        table_of("", findings,
                 {{"printed time", "s", [](const Finding& finding) { return finding.cell.printed_seconds; }},
                  {"time", "s", mean(&Finding::at_printed, &SuccessRate::seconds), 3},
                  {"generations", "", mean(&Finding::at_printed, &SuccessRate::generations), 0},
                  {"evaluations", "", mean(&Finding::at_printed, &SuccessRate::evaluations), 0},
                  {"evaluations at optimum", "", mean(&Finding::at_optimum, &SuccessRate::evaluations), 0},
                  {"modern engine", "", &Finding::modern_engine},
                  {"modern time", "s", &Finding::modern_seconds, 3}}));
}

} // namespace nocturne::evolution
