#include "testbenches/evolution/ablation.hpp"

#include "schedules/collective/collective.hpp"
#include "sim/experiment/evolve.hpp"

#include <array>

namespace nocturne::evolution {
namespace {

using Value = nocturne::Cell;

struct Variant {
    const char* name;
    bool for_scatters;
    bool for_broadcasts;
    void (*change)(UmdaParameters& parameters);
};

constexpr std::array variants{
    Variant{"all", true, true, [](UmdaParameters&) {}},
    Variant{"without acceleration", true, false, [](UmdaParameters& umda) { umda.acceleration = false; }},
    Variant{"without slot swap", true, false, [](UmdaParameters& umda) { umda.slot_swap = false; }},
    Variant{"without path mutation", true, true, [](UmdaParameters& umda) { umda.path_mutation = false; }},
    Variant{"without restoration", false, true, [](UmdaParameters& umda) { umda.restoration = false; }},
    Variant{"without building blocks", false, true,
            [](UmdaParameters& umda) { umda.building_blocks = false; }},
    Variant{"one path a pair", true, true, [](UmdaParameters& umda) { umda.paths.most_paths = 1; }},
    Variant{"population 20", true, true, [](UmdaParameters& umda) { umda.population = 20; }},
    Variant{"population 200", true, true, [](UmdaParameters& umda) { umda.population = 200; }},
    Variant{"4 islands", true, true, [](UmdaParameters& umda) { umda.islands = 4; }},
};

} // namespace

std::vector<AblationResult> ablate(std::span<const PrintedCell> cells, const Limits& limits)
{
    std::vector<AblationResult> results;
    for (const PrintedCell& cell : cells) {
        const Problem problem = make_problem(cell.problem);
        const bool broadcast = is_broadcast(problem.collective.kind);
        for (const Variant& variant : variants) {
            if (!(broadcast ? variant.for_broadcasts : variant.for_scatters))
                continue;
            UmdaParameters umda;
            variant.change(umda);
            EvolveOptions options;
            options.parameters = umda;
            options.steps = cell.printed_steps;
            options.runs = limits.runs;
            options.seed = limits.seed;
            options.evaluations = cell.evaluations.value_or(limits.evaluations);
            options.budget = limits.budget;
            options.workers = limits.workers;
            results.push_back({cell.problem.topology, cell.problem.collective, cell.printed_steps,
                               variant.name, evolve(problem, options).runs});
        }
    }
    return results;
}

Table ablation_table(std::span<const AblationResult> results)
{
    Table table{"UMDA without one heuristic at a time",
                {{"network", "", Align::left},
                 {"collective", "", Align::left},
                 {"steps", ""},
                 {"variant", "", Align::left},
                 {"success", "%"},
                 {"evaluations", ""},
                 {"conflicts left", ""}},
                {}};
    for (const AblationResult& result : results) {
        const SuccessRate rate = success_rate(result.runs);
        double conflicts = 0;
        for (const EvolutionRun& run : result.runs)
            conflicts += static_cast<double>(run.conflicts) / static_cast<double>(result.runs.size());
        table.add_row({result.network, result.collective, std::uint64_t{result.steps}, result.variant,
                       Real{rate.percent(), 0},
                       rate.successes == 0 ? Value{} : Value{Real{rate.evaluations, 0}}, Real{conflicts, 1}});
    }
    return table;
}

} // namespace nocturne::evolution
