#include "sim/report/evolution_results.hpp"

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
    Table table{"Runs",
                {{"seed", ""},
                 {"steps", ""},
                 {"outcome", "", Align::left},
                 {"conflicts", ""},
                 {"generations", ""},
                 {"evaluations", ""},
                 {"time", "s"}},
                {}};
    for (const EvolutionRun& run : runs)
        table.add_row({run.seed, std::uint64_t{run.steps}, run.solved ? "solved" : "gave up", run.conflicts,
                       run.generations, run.evaluations, Real{run.seconds, 3}});
    return table;
}

Table history_table(std::span<const EvolutionRun> runs)
{
    Table table{"Generations",
                {{"seed", ""},
                 {"island", ""},
                 {"generation", ""},
                 {"evaluations", ""},
                 {"best", "conflicts"},
                 {"mean", "conflicts"},
                 {"diversity", ""}},
                {}};
    for (const EvolutionRun& run : runs)
        for (const GenerationRecord& record : run.history)
            table.add_row({run.seed, std::uint64_t{record.island}, record.number, record.evaluations,
                           record.best, Real{record.mean, 2}, Real{record.diversity, 4}});
    return table;
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
