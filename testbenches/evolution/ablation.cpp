#include "testbenches/evolution/ablation.hpp"

#include "schedules/collective/collective.hpp"
#include "schedules/evolution/presets.hpp"
#include "sim/evolution/evolve.hpp"
#include "sim/report/columns.hpp"

#include <fmt/format.h>

#include <functional>

namespace nocturne::evolution {
namespace {

struct Variant {
    std::string name;
    std::function<void(EvolutionParameters& parameters)> change;
};

/// Ours, ours without each part that applies, what the papers leave open set otherwise, and the paper's
/// algorithm alone.
std::vector<Variant> variants_of(const std::string& engine, bool is_broadcast)
{
    std::vector<Variant> variants{{"all", [](EvolutionParameters&) {}}};
    for (const EnginePart& part : engine_parts())
        if (part.engine == engine && (is_broadcast ? part.for_broadcasts : part.for_scatters))
            variants.push_back(
                {fmt::format("without {}{}", part.name, part.is_ours ? " (ours)" : ""), part.leave_out});
    const auto umda = [&](const char* name, void (*change)(UmdaParameters&)) {
        if (engine == "umda")
            variants.push_back({name, [change](EvolutionParameters& parameters) {
                                    change(std::get<UmdaParameters>(parameters));
                                }});
    };
    umda("one path a pair", [](UmdaParameters& parameters) { parameters.paths.most_paths = 1; });
    umda("population 20", [](UmdaParameters& parameters) { parameters.population = 20; });
    umda("population 200", [](UmdaParameters& parameters) { parameters.population = 200; });
    umda("4 islands", [](UmdaParameters& parameters) { parameters.islands = 4; });
    variants.push_back(
        {"as printed", [engine](EvolutionParameters& parameters) { parameters = as_printed(engine); }});
    return variants;
}

} // namespace

std::vector<AblationResult> ablate(std::span<const PrintedCell> cells, const Limits& limits)
{
    std::vector<AblationResult> results;
    for (const PrintedCell& cell : cells) {
        const Problem problem = make_problem(cell.problem);
        const bool broadcast = is_broadcast(problem.collective);
        for (const Variant& variant : variants_of(cell.engine, broadcast)) {
            EvolveOptions options;
            options.parameters = default_parameters(cell.engine);
            variant.change(options.parameters);
            options.steps = cell.printed_steps;
            options.runs = limits.runs;
            options.seed = limits.seed;
            options.evaluations = cell.evaluations.value_or(0);
            options.generations = cell.generations.value_or(0);
            // As many new solutions, whatever the population and the islands.
            if (const auto* const umda = std::get_if<UmdaParameters>(&options.parameters))
                options.generations =
                    options.generations * UmdaParameters{}.population / (umda->population * umda->islands);
            options.budget = limits.budget;
            options.workers = limits.workers;
            results.push_back({cell.problem.topology, cell.problem.collective, cell.engine,
                               cell.printed_steps, variant.name, evolve(problem, options).runs});
        }
    }
    return results;
}

Table ablation_table(std::span<const AblationResult> results)
{
    const auto evaluations = [](const AblationResult& result) {
        const SuccessRate rate = success_rate(result.runs);
        return rate.successes == 0 ? std::nullopt : std::optional(rate.evaluations);
    };
    const auto conflicts = [](const AblationResult& result) {
        double mean = 0;
        for (const EvolutionRun& run : result.runs)
            mean += static_cast<double>(run.conflicts) / static_cast<double>(result.runs.size());
        return mean;
    };
    return table_of("The engines without one part at a time", results,
                    {{"network", "", &AblationResult::network},
                     {"collective", "", &AblationResult::collective},
                     {"engine", "", &AblationResult::engine},
                     {"steps", "", &AblationResult::steps},
                     {"variant", "", &AblationResult::variant},
                     {"success", "%",
                      [](const AblationResult& result) { return success_rate(result.runs).percent(); }, 0},
                     {"evaluations", "", evaluations, 0},
                     {"conflicts left", "", conflicts, 1}});
}

} // namespace nocturne::evolution
