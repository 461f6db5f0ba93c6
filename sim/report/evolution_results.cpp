#include "sim/report/evolution_results.hpp"

#include "sim/report/columns.hpp"
#include "sim/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

SuccessRate success_rate(std::span<const EvolutionRun> runs)
{
    SuccessRate rate;
    for (const EvolutionRun& run : runs) {
        ++rate.runs;
        if (!run.solved)
            continue;
        ++rate.successes;
        rate.seconds += run.seconds;
        rate.generations += static_cast<double>(run.generations);
        rate.evaluations += static_cast<double>(run.evaluations);
    }
    if (rate.successes > 0) {
        const auto successes = static_cast<double>(rate.successes);
        rate.seconds /= successes;
        rate.generations /= successes;
        rate.evaluations /= successes;
    }
    return rate;
}

Table run_table(std::span<const EvolutionRun> runs)
{
    const auto outcome = [](const EvolutionRun& run) { return run.solved ? "solved" : "gave up"; };
    return table_of("Runs", runs,
                    {{"seed", "", &EvolutionRun::seed},
                     {"steps", "", &EvolutionRun::steps},
                     {"outcome", "", outcome},
                     {"conflicts", "", &EvolutionRun::conflicts},
                     {"generations", "", &EvolutionRun::generations},
                     {"evaluations", "", &EvolutionRun::evaluations},
                     {"time", "s", &EvolutionRun::seconds, 3}});
}

Table history_table(std::span<const EvolutionRun> runs)
{
    std::vector<std::pair<std::uint64_t, GenerationRecord>> rows; // seed and generation
    for (const EvolutionRun& run : runs)
        for (const GenerationRecord& record : run.history)
            rows.emplace_back(run.seed, record);
    const auto record = [](auto member) { return [=](const auto& row) { return row.second.*member; }; };
    return table_of("Generations", rows,
                    {{"seed", "", [](const auto& row) { return row.first; }},
                     {"island", "", record(&GenerationRecord::island)},
                     {"generation", "", record(&GenerationRecord::number)},
                     {"evaluations", "", record(&GenerationRecord::evaluations)},
                     {"best", "conflicts", record(&GenerationRecord::best)},
                     {"mean", "conflicts", record(&GenerationRecord::mean), 2},
                     {"diversity", "", record(&GenerationRecord::diversity), 4}});
}

std::string convergence_picture(std::span<const EvolutionRun> runs, const std::string& title)
{
    LinePlot plot{title, {"evaluations", Scale::log10, {}, {}}, {"conflicts", Scale::linear, 0.0, {}}, {}};
    for (const EvolutionRun& run : runs) {
        Curve curve{fmt::format("seed {}{}", run.seed, run.solved ? "" : " (gave up)"), {}, Stroke::measured};
        // Of several islands the curve is the lower envelope: what is best anywhere so far.
        std::vector<GenerationRecord> history = run.history;
        std::stable_sort(history.begin(), history.end(),
                         [](const GenerationRecord& a, const GenerationRecord& b) {
                             return a.evaluations < b.evaluations;
                         });
        std::uint64_t best = ~std::uint64_t{0};
        for (const GenerationRecord& record : history)
            if (record.best < best) {
                best = record.best;
                curve.points.emplace_back(static_cast<double>(record.evaluations), static_cast<double>(best));
            }
        plot.curves.push_back(std::move(curve));
    }
    return draw(plot);
}

} // namespace nocturne
