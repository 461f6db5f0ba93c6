#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/rank_pool.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <unistd.h>

namespace nocturne::cli {

namespace {

std::vector<std::string> engine_names()
{
    std::vector<std::string> names{"auto"};
    for (const Engine& engine : engines())
        if (std::ranges::find(names, engine.name) == names.end())
            names.emplace_back(engine.name);
    return names;
}

std::string engine_help()
{
    std::string for_messages, by_objective;
    for (const Engine& engine : engines())
        (engine.by_objective == nullptr ? for_messages : by_objective) +=
            fmt::format("\n  {}: {}", engine.name, engine.summary);
    return fmt::format("auto (all that suit, side by side) or one of them:{}\nwith --objective:{}",
                       for_messages, by_objective);
}

PortfolioOptions portfolio_options(const OptionValues& given)
{
    PortfolioOptions options;
    options.engine = given.text("engine");
    if (given.has("steps"))
        options.steps = given.small_count("steps");
    if (options.engine != "auto") // who asks for it may have all there is
        options.most_memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                              static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    options.budget = given.seconds("budget");
    options.seed = given.count("seed");
    options.workers = given.workers();
    options.on_note = [](const std::string& note) { fmt::print(stderr, "nocturne schedule: {}\n", note); };
    if (given.has("checkpoint"))
        options.checkpoint = given.text("checkpoint");
    return options;
}

nlohmann::ordered_json document(const Problem& problem, const PortfolioResult& result)
{
    nlohmann::ordered_json json{{"problem", describe(problem)},
                                {"topology", problem.topology.name()},
                                {"collective", paper_name(problem.collective.kind)},
                                {"chunks", problem.collective.parts},
                                {"ports", to_string(problem.ports)}};
    json.update(finding_json(result.schedule, result.bound, result.engine));
    json["transfers"] = nullptr;
    if (result.schedule)
        json["transfers"] = count_transfers(*result.schedule);
    json["seconds"] = result.seconds;
    json["interrupted"] = result.signal != 0;
    json["end"] = to_string(result.end);
    return json;
}

void print_text(const Problem& problem, const PortfolioResult& result)
{
    const std::string found =
        !result.schedule ? "none found"
        : result.is_optimal()
            ? fmt::format("{}, which is {}", result.schedule->steps.size(), optimal_text(problem.topology))
            : fmt::format("{}", result.schedule->steps.size());
    fmt::print("{}\nsteps        {}\nlower bound  {} ({}): {}\n", heading(problem), found, result.bound.steps,
               kind_of(result.bound), result.bound.reason);
    if (result.schedule)
        fmt::print("engine       {}, {} transfers\n", result.engine, count_transfers(*result.schedule));
    fmt::print("seconds      {:.3f}{}\n", result.seconds, result.signal != 0 ? ", interrupted" : "");
}

/// Everything that one process does: the only one, or the first of many.
int lead_search(const OptionValues& given, const Problem& problem, const PortfolioOptions& options)
{
    PortfolioOptions search = options;
    PortfolioResult result = [&] {
        ProgressLine line("schedule");
        search.on_progress = [&](const SearchProgress& now) {
            line.show_text(progress_text("schedule", now));
        };
        return find_schedule(problem, search);
    }();
    if (given.has("output") && result.schedule)
        save_result(given.text("output"), problem, result.bound, result.schedule, to_json(origin_of(given)));
    if (given.is_on("json"))
        std::cout << document(problem, result).dump(2) << '\n';
    else
        print_text(problem, result);
    if (!given.is_on("json") && result.schedule && !given.has("output"))
        fmt::print("{}\n", not_kept_text);
    std::fflush(stdout);
    if (result.signal != 0)
        return 128 + result.signal;
    const bool is_enough =
        result.schedule && (!search.steps || result.schedule->steps.size() <= *search.steps);
    return is_enough ? all_is_well : check_failed;
}

int search_schedule(const OptionValues& given, const std::optional<RankEnvironment>& environment)
{
    PortfolioOptions search = portfolio_options(given);
    search.begun = std::chrono::steady_clock::now(); // making the network takes time, too
    const Problem problem = problem_of(given);
    if (!environment)
        return lead_search(given, problem, search);
    RankPoolOptions ranks;
    ranks.workers = given.workers();
    return run_on_ranks(*environment, ranks, portfolio_work(problem), [&](const JobTransport& transport) {
        search.transport = &transport;
        return lead_search(given, problem, search);
    });
}

Usage usage_of_schedule()
{
    return {
        .command = "schedule",
        .summary = "search the schedule with the fewest steps",
        .positional = "topology",
        .description = "Searches the schedule with the fewest steps and says how good it is. Ctrl-C "
                       "ends the search "
                       "with the best one so far. Under mpirun it uses the cores of all machines.\n",
        .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                     "nocturne schedule mesh:4x4 --collective broadcast --source 11",
                     "nocturne schedule ring:5 --collective allreduce --objective time --bytes 64KiB -o "
                     "ring.json",
                     "nocturne schedule fat_octagon:8 --collective MNS --senders 0,2,4,6 --receivers 0-15"}};
}

OptionTable options_of_schedule()
{
    OptionTable options;
    options.add(problem_options());
    const std::string engines_text = engine_help();
    options.add(
        option_table("Search", {{"engine", choice_value("E", engine_names(), "auto"), engines_text},
                                {"steps", count_value("S", {1, 1'000'000'000}),
                                 "stop at a schedule of S steps; left out: the fewest"},
                                {"budget", seconds_value(60), "time for the search"},
                                {"checkpoint", written_value("FILE"),
                                 "keep the state of the search here, and go on from it if the file exists"},
                                {"output,o", written_value("FILE"),
                                 "write the schedule, with the lower bound and its certificate"}}));
    options.add(objective_options());
    return options;
}

int run_schedule(const OptionValues& given)
{
    return has_objective(given) ? schedule_chunks(given) : search_schedule(given, rank_environment());
}

} // namespace

Command schedule_command()
{
    return {usage_of_schedule(), options_of_schedule, run_schedule};
}

} // namespace nocturne::cli
