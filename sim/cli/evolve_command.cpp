#include "models/topology/files.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/evolution_options.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/evolution/evolve.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

po::options_description experiment_options()
{
    po::options_description options("Experiment");
    const auto file = [] { return po::value<std::string>()->value_name("FILE"); };
    options.add_options()("steps", po::value<Count>()->value_name("S"),
                          "steps of the schedule to evolve; left out: the lower bound")(
        "runs", po::value<Count>()->value_name("N")->default_value(Count{1}),
        "runs, with one seed after the other")(
        "evaluations", po::value<Count>()->value_name("N"),
        "fitness evaluations within which a run succeeds, if it does; left out: no limit")(
        "generations", po::value<Count>()->value_name("N"),
        "generations, likewise (hgsa: exchanges); left out: no limit")(
        "budget", po::value<double>()->value_name("SECONDS")->default_value(60),
        "time for a run")("start", file(), "schedule that the first population begins with")(
        "checkpoint", file(), "keep the state of a single run here, and go on from it if the file exists")(
        "history", file(), "write every generation (thinned out) as CSV")(
        "svg", file(), "draw the convergence of the runs as SVG")(
        "output,o", file(), "write the schedule of the first successful run, with the lower bound");
    return options;
}

/// A schedule of the same collective on the same network, from its file.
Schedule start_of(const std::string& file, const Problem& problem)
{
    ResultFile start = load_result(file);
    if (!start.schedule)
        throw std::runtime_error(fmt::format("{}: no schedule to start from", file));
    if (!(start.problem.topology == problem.topology) ||
        start.schedule->collective.messages != problem.collective.messages)
        throw std::runtime_error(fmt::format("{}: a schedule for {}, not for {}", file,
                                             describe(start.problem), describe(problem)));
    return *std::move(start.schedule);
}

EvolveOptions evolve_options(const po::variables_map& map, const Problem& problem, const Bound& bound)
{
    EvolveOptions options;
    options.parameters = evolution_parameters(map, problem.slack.value_or(0));
    options.steps = bound.steps;
    if (map.count("steps") != 0)
        options.steps = static_cast<unsigned>(count_in_range(map, "steps", 1, 65'535));
    if (options.steps < bound.steps)
        throw std::invalid_argument(fmt::format("{}: {} steps are not enough, at least {} are needed: {}",
                                                describe(problem), options.steps, bound.steps, bound.reason));
    options.runs = static_cast<unsigned>(count_in_range(map, "runs", 1, 100'000));
    options.seed = map["seed"].as<Count>().value;
    if (map.count("evaluations") != 0)
        options.evaluations = count_in_range(map, "evaluations", 1, ~std::uint64_t{0});
    if (map.count("generations") != 0)
        options.generations = count_in_range(map, "generations", 1, ~std::uint64_t{0});
    options.budget = seconds_in_range(map, "budget");
    options.workers = workers_of(map);
    if (map.count("start") != 0)
        options.start = start_of(map["start"].as<std::string>(), problem);
    if (map.count("checkpoint") != 0)
        options.checkpoint = map["checkpoint"].as<std::string>();
    options.record_history = map.count("history") != 0 || map.count("svg") != 0;
    return options;
}

nlohmann::ordered_json document(const Problem& problem, const Bound& bound, const EvolveResult& result)
{
    const SuccessRate rate = success_rate(result.runs);
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const EvolutionRun& run : result.runs)
        runs.push_back({{"seed", run.seed},
                        {"solved", run.solved},
                        {"conflicts", run.conflicts},
                        {"generations", run.generations},
                        {"evaluations", run.evaluations},
                        {"seconds", run.seconds}});
    return {{"problem", describe(problem)},
            {"engine", result.runs.front().engine},
            {"steps", result.runs.front().steps},
            {"lower_bound", bound.steps},
            {"success_percent", rate.percent()},
            {"mean_seconds", rate.seconds},
            {"mean_generations", rate.generations},
            {"mean_evaluations", rate.evaluations},
            {"runs", runs}};
}

void print_text(const Problem& problem, const Bound& bound, const EvolveResult& result)
{
    const EvolutionRun& first = result.runs.front();
    const SuccessRate rate = success_rate(result.runs);
    fmt::print("{}\nengine       {}, {} steps\nlower bound  {} ({}): {}\n", heading(problem), first.engine,
               first.steps, bound.steps, to_string(bound.kind), bound.reason);
    fmt::print("success      {} of {} runs", rate.successes, rate.runs);
    if (rate.successes > 0)
        fmt::print("; mean of these: {:.3f} s, {:.0f} generations, {:.0f} evaluations", rate.seconds,
                   rate.generations, rate.evaluations);
    fmt::print("\n\n");
    std::fflush(stdout);
    print_text(std::cout, run_table(result.runs));
    std::cout.flush();
}

void write_files(const po::variables_map& map, const Problem& problem, const Bound& bound,
                 const EvolveResult& result)
{
    if (map.count("output") != 0 && result.schedule)
        save_result(map["output"].as<std::string>(), problem, bound, result.schedule,
                    to_json(origin_of(map)));
    if (map.count("history") != 0)
        write_file_atomically(map["history"].as<std::string>(),
                              csv_of(with_origin(history_table(result.runs), origin_of(map))));
    if (map.count("svg") != 0)
        write_file_atomically(
            map["svg"].as<std::string>(),
            convergence_picture(result.runs,
                                fmt::format("{} in {} steps, {}", describe(problem),
                                            result.runs.front().steps, result.runs.front().engine)));
}

} // namespace

int run_evolve(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(problem_options()).add(evolution_options()).add(experiment_options());
    const po::variables_map map = parse(
        {.command = "evolve",
         .positional = "topology",
         .description =
             "Evolves schedules with the engines of the papers, from several seeds, and counts how "
             "many runs succeed.\nExit status 1 if none does.\n",
         .examples = {"nocturne evolve omega:8 --collective AAS --engine umda --runs 2 --history runs.csv "
                      "--svg runs.svg",
                      "nocturne evolve hypercube:3 --collective all-gather --engine hgsa -o evolved.json"},
         .renamed = {{"picture", "svg"},
                     {"restart-stall", "stagnation-limit"},
                     {"coldest", "final-temperature"}}},
        arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    const Problem problem = problem_of(map);
    for (const char* const option : {"output", "history", "svg", "checkpoint"})
        if (map.count(option) != 0)
            require_file_place(map[option].as<std::string>());
    const Bound bound = lower_bound(problem);
    EvolveOptions evolution = evolve_options(map, problem, bound);
    const EvolveResult result = [&] {
        ProgressLine line("evolve");
        evolution.on_progress = [&](std::size_t done, std::size_t total) { line.update(done, total); };
        return evolve(problem, evolution);
    }();
    write_files(map, problem, bound, result);
    if (map["json"].as<bool>())
        std::cout << document(problem, bound, result).dump(2) << '\n';
    else
        print_text(problem, bound, result);
    return result.schedule ? all_is_well : check_failed;
}

} // namespace nocturne::cli
