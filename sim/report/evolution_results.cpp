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
            {{"island", "", "Its index, from 0.", &Record::island},
             {"generation", "", "Its number, from 0.", &Record::number},
             {"evaluations", "", "Of the fitness, of the island so far.", &Record::evaluations},
             {"best_conflicts", "", "Of the best solution.", &Record::best},
             {"mean_conflicts", "", "Of all solutions.", &Record::mean},
             {"diversity", "", "How much the solutions differ, 0 to 1.", &Record::diversity}}};
}

Fields<EvolutionHistory> fields_of(const EvolutionHistory*)
{
    return {"evolution history",
            "What `evolve --history` writes.",
            {{"seed", "", "Of the run.", &EvolutionHistory::seed},
             {"generations", "", "Thinned out where they are many.", &EvolutionHistory::generations,
              Shown::as_rows}}};
}

Fields<EvolutionRun> fields_of(const EvolutionRun*)
{
    using Run = EvolutionRun;
    return {"evolution run",
            "One run of an evolutionary engine.",
            {{"engine", "", "Its name.", &Run::engine, Shown::in_files},
             {"seed", "", "Of the run.", &Run::seed},
             {"steps", "", "Of the schedule that was to be evolved.", &Run::steps},
             {"solved", "", "Was one found?", &Run::solved},
             {"conflicts", "", "Of the best solution; 0 if one was found.", &Run::conflicts},
             {"generations", "", "Of all islands.", &Run::generations},
             {"evaluations", "", "Of the fitness, of all islands.", &Run::evaluations},
             {"seconds", "s", "On the clock.", &Run::seconds},
             {"history", "", "The generations, thinned out, if they were recorded.", &Run::history,
              Shown::if_any}}};
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
