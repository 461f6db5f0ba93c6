#include "models/topology/files.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/evolution_options.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/rank_pool.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/start_option.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/evolution/evolve.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::cli {

namespace {

OptionTable experiment_options()
{
    return option_table("Experiment",
                        {{"steps", count_value("S", {1, 65'535}),
                          "steps of the schedule to evolve; default: the lower bound"},
                         {"runs", count_value(1, {1, 100'000}), "number of runs, with consecutive seeds"},
                         {"evaluations", count_value("N", {.least = 1}),
                          "limit of fitness evaluations per run; default: none"},
                         {"generations", count_value("N", {.least = 1}),
                          "limit of generations per run (hgsa: exchanges); default: none"},
                         {"budget", seconds_value(60), "time limit of a run"},
                         {"checkpoint", written_value("FILE"),
                          "save the state of a single run in this file, and resume from it if it exists"},
                         {"history", written_value("FILE"), "write every generation (thinned out) as CSV"},
                         {"svg", svg_value("FILE"), "draw the convergence of the runs as SVG"},
                         {"output,o", written_value("FILE"),
                          "write the schedule of the first successful run with its lower bound"}})
        .add_rows_of(start_options());
}

EvolveOptions evolve_options(const OptionValues& given, const Problem& problem, const Bound& bound)
{
    EvolveOptions options;
    options.parameters = evolution_parameters(given, problem.slack.value_or(0));
    options.steps = bound.steps;
    if (given.has("steps"))
        options.steps = given.small_count("steps");
    if (options.steps < bound.steps)
        throw std::invalid_argument(fmt::format("{}: {} steps are not enough, at least {} are needed: {}",
                                                describe(problem), options.steps, bound.steps, bound.reason));
    options.runs = given.small_count("runs");
    options.seed = given.count("seed");
    if (given.has("evaluations"))
        options.evaluations = given.count("evaluations");
    if (given.has("generations"))
        options.generations = given.count("generations");
    options.budget = given.seconds("budget");
    options.workers = given.workers();
    if (given.has("start"))
        options.start = start_for(problem, given);
    if (given.has("checkpoint"))
        options.checkpoint = given.text("checkpoint");
    options.record_history = given.has("history") || given.has("svg");
    return options;
}

/// `--history` has it.
std::vector<EvolutionRun> without_history(std::vector<EvolutionRun> runs)
{
    for (EvolutionRun& run : runs)
        run.history.clear();
    return runs;
}

/// What is printed of the runs.
struct EvolveOutput {
    Finding finding;
    const std::vector<EvolutionRun>& runs;
    SuccessRate rate;

    /// Means of successful runs are nothing without one.
    template <class Figure>
    static auto of_successes(Figure SuccessRate::* mean)
    {
        return [mean](const EvolveOutput& output) {
            return output.rate.successes == 0 ? std::nullopt : std::optional(output.rate.*mean);
        };
    }
};

Fields<EvolveOutput> fields_of(const EvolveOutput*)
{
    using Output = EvolveOutput;
    return Fields<Output>{"evolve", "Several runs of an evolutionary engine.", {}}
        .with(&Output::finding)
        .with({{"successes", "", "Runs that found a schedule.",
                [](const Output& output) { return output.rate.successes; }},
               {"success_percent", "%", "Share of runs that found a schedule.",
                [](const Output& output) { return output.rate.percent(); }},
               {"mean_seconds", "s", "Mean wall-clock time of successful runs; null without one.",
                Output::of_successes(&SuccessRate::seconds)},
               {"mean_generations", "", "Mean generations of successful runs.",
                Output::of_successes(&SuccessRate::generations)},
               {"mean_evaluations", "", "Mean fitness evaluations of successful runs.",
                Output::of_successes(&SuccessRate::evaluations)},
               {"runs", "", "Runs by seed.",
                [](const Output& output) { return without_history(output.runs); }, Shown::as_rows}});
}

void write_files(const OptionValues& given, const Problem& problem, const Bound& bound,
                 const EvolveResult& result)
{
    if (given.has("output") && result.schedule)
        save_result(given.text("output"), problem, bound, result.schedule, to_json(origin_of(given)));
    write_table(given, "history", history_table(result.runs));
    if (given.has("svg"))
        write_file_atomically(
            given.text("svg"),
            convergence_picture(result.runs,
                                fmt::format("{} in {} steps, {}", describe(problem),
                                            result.runs.front().steps, result.runs.front().engine)));
}

/// Everything that one process does: the only one, or the first of many.
int lead_evolution(const OptionValues& given, const Problem& problem, const Bound& bound,
                   EvolveOptions evolution)
{
    const EvolveResult result = [&] {
        ProgressLine line("evolve");
        evolution.on_progress = [&](std::size_t done, std::size_t total) { line.update(done, total); };
        return evolve(problem, evolution);
    }();
    write_files(given, problem, bound, result);
    const EvolveOutput output{finding_of(problem, result.schedule ? &*result.schedule : nullptr, &bound,
                                         result.runs.front().engine),
                              result.runs, success_rate(result.runs)};
    print_result(output, given, [&] {
        print_finding(output.finding, output);
        print_below(table_of("Runs", result.runs));
    });
    return result.schedule ? all_is_well : check_failed;
}

/// What the only process does, or each of many.
int run_evolve(const OptionValues& given)
{
    const std::optional<RankEnvironment> environment = rank_environment();
    const Problem problem = problem_or_that_of_start(given);
    const Bound bound = lower_bound(problem);
    EvolveOptions evolution = evolve_options(given, problem, bound);
    if (!environment)
        return lead_evolution(given, problem, bound, evolution);
    RankPoolOptions ranks;
    ranks.workers = given.workers();
    return run_on_ranks(*environment, ranks, evolve_work(problem, evolution),
                        [&](const JobTransport& transport) {
                            evolution.transport = &transport;
                            return lead_evolution(given, problem, bound, evolution);
                        });
}

} // namespace

Command evolve_command()
{
    return {
        {.command = "evolve",
         .summary = "repeat the papers' experiments with evolutionary engines",
         .positional = "topology",
         .description = "Runs one of the papers' evolutionary engines with several seeds and counts the "
                        "successful runs.\nExit status 1 if no run succeeds.\n",
         .examples = {"nocturne evolve omega:8 --collective AAS --engine umda --runs 2 --history runs.csv "
                      "--svg runs.svg",
                      "nocturne evolve hypercube:3 --collective all-gather --engine hgsa -o evolved.json"},
         .alternative = "start",
         .renamed = {{"picture", "svg"},
                     {"restart-stall", "stagnation-limit"},
                     {"coldest", "final-temperature"}},
         .bare_words = {bare_collective}},
        [] {
            return OptionTable().add(problem_options()).add(evolution_options()).add(experiment_options());
        },
        run_evolve,
        {description_of<EvolveOutput>, description_of<EvolutionHistory>}};
}

} // namespace nocturne::cli
