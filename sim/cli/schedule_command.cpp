#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <stdexcept>
#include <unistd.h>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

std::string engine_help()
{
    std::string text = "auto (all that suit, side by side) or one of them:";
    for (const Engine& engine : engines())
        text += fmt::format("\n  {}: {}", engine.name, engine.summary);
    return text;
}

PortfolioOptions portfolio_options(const po::variables_map& map)
{
    PortfolioOptions options;
    options.engine = map["engine"].as<std::string>();
    if (map.count("steps") != 0)
        options.steps = static_cast<unsigned>(count_in_range(map, "steps", 1, 1'000'000'000));
    if (options.engine != "auto") // who asks for it may have all there is
        options.most_memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                              static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    options.budget = seconds_in_range(map, "budget");
    options.seed = map["seed"].as<Count>().value;
    options.workers = workers_of(map);
    options.on_note = [](const std::string& note) { fmt::print(stderr, "nocturne schedule: {}\n", note); };
    if (map.count("checkpoint") != 0) {
        options.checkpoint = map["checkpoint"].as<std::string>();
        require_file_place(options.checkpoint);
    }
    return options;
}

nlohmann::ordered_json document(const Problem& problem, const PortfolioResult& result)
{
    nlohmann::ordered_json json{{"problem", describe(problem)},
                                {"topology", problem.topology.name()},
                                {"collective", to_string(problem.collective.kind)},
                                {"ports", to_string(problem.ports)}};
    json.update(finding_json(result.schedule, result.bound, result.engine));
    json["transfers"] = nullptr;
    if (result.schedule)
        json["transfers"] = count_transfers(*result.schedule);
    json["seconds"] = result.seconds;
    json["interrupted"] = result.signal != 0;
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
               to_string(result.bound.kind), result.bound.reason);
    if (result.schedule)
        fmt::print("engine       {}, {} transfers\n", result.engine, count_transfers(*result.schedule));
    fmt::print("seconds      {:.3f}{}\n", result.seconds, result.signal != 0 ? ", interrupted" : "");
}

} // namespace

int run_schedule(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(problem_options());
    po::options_description own("Search");
    const std::string engines_text = engine_help();
    own.add_options()("engine", po::value<std::string>()->value_name("E")->default_value("auto"),
                      engines_text.c_str())("steps", po::value<Count>()->value_name("S"),
                                            "stop at a schedule of S steps; left out: the fewest")(
        "budget", po::value<double>()->value_name("SECONDS")->default_value(60),
        "time for the search")("checkpoint", po::value<std::string>()->value_name("FILE"),
                               "keep the state of the search here, and go on from it if the file exists")(
        "output,o", po::value<std::string>()->value_name("FILE"),
        "write the schedule, with the lower bound and its certificate");
    options.add(own);
    const po::variables_map map = parse(
        {.command = "schedule",
         .positional = "topology",
         .description =
             "Searches the schedule with the fewest steps and says how good it is. Ctrl-C ends the search "
             "with the best one so far.\n",
         .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                      "nocturne schedule mesh:4x4 --collective broadcast --source 11",
                      "nocturne schedule fat_octagon:8 --collective MNS --senders 0,2,4,6 --receivers 0-15"}},
        arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    PortfolioOptions search = portfolio_options(map);
    search.begun = std::chrono::steady_clock::now(); // making the network takes time, too
    const Problem problem = problem_of(map);
    if (map.count("output") != 0)
        require_file_place(map["output"].as<std::string>());
    PortfolioResult result = [&] {
        ProgressLine line("schedule");
        search.on_progress = [&](const PortfolioProgress& now) {
            line.show_text(progress_text("schedule", now));
        };
        return find_schedule(problem, search);
    }();
    if (map.count("output") != 0 && result.schedule)
        save_result(map["output"].as<std::string>(), problem, result.bound, result.schedule,
                    to_json(origin_of(map)));
    if (map["json"].as<bool>())
        std::cout << document(problem, result).dump(2) << '\n';
    else
        print_text(problem, result);
    std::fflush(stdout);
    if (result.signal != 0)
        return 128 + result.signal;
    const bool is_enough =
        result.schedule && (!search.steps || result.schedule->steps.size() <= *search.steps);
    return is_enough ? all_is_well : check_failed;
}

} // namespace nocturne::cli
