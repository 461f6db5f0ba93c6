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

Table history_table(std::span<const EvolutionRun> runs)
{
    std::vector<EvolutionHistory> histories;
    for (const EvolutionRun& run : runs)
        histories.push_back({run.seed, run.history});
    return table_of("Generations", histories);
}

Fields<GenerationRecord> fields_of(const GenerationRecord*)
{
    using Record = GenerationRecord;
    return {"generation",
            "One generation of one island.",
            {{"island", "", "Index of the chunk, from 0.", &Record::island},
             {"generation", "", "Number of the point, from 0.", &Record::number},
             {"evaluations", "", "Fitness evaluations of the island so far.", &Record::evaluations},
             {"best_conflicts", "", "Conflicts of the best solution.", &Record::best},
             {"mean_conflicts", "", "Mean conflicts over all solutions.", &Record::mean},
             {"diversity", "", "Diversity of the solutions, 0 to 1.", &Record::diversity}}};
}

Fields<EvolutionHistory> fields_of(const EvolutionHistory*)
{
    return {"evolution history",
            "Table of `evolve --history`.",
            {{"seed", "", "Seed of the run.", &EvolutionHistory::seed},
             {"generations", "", "Generations, thinned out if there are many.",
              &EvolutionHistory::generations, Shown::as_rows}}};
}

Fields<EvolutionRun> fields_of(const EvolutionRun*)
{
    using Run = EvolutionRun;
    return {"evolution run",
            "One run of an evolutionary engine.",
            {{"engine", "", "Name of the engine.", &Run::engine, Shown::in_files},
             {"seed", "", "Seed of the run.", &Run::seed},
             {"steps", "", "Steps of the schedule to be found.", &Run::steps},
             {"solved", "", "Whether a schedule was found.", &Run::solved},
             {"conflicts", "", "Conflicts of the best solution; 0 if a schedule was found.", &Run::conflicts},
             {"generations", "", "Generations of all islands.", &Run::generations},
             {"evaluations", "", "Fitness evaluations of all islands.", &Run::evaluations},
             {"seconds", "s", "Wall-clock time.", &Run::seconds},
             {"history", "", "Recorded generations, thinned out.", &Run::history, Shown::if_any}}};
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
