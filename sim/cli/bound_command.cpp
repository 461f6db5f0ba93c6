#include "schedules/bounds/exhausted.hpp"
#include "schedules/bounds/formulas.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/experiment/result_file.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

nlohmann::ordered_json document(const Problem& problem, const std::vector<Bound>& bounds, double seconds)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Bound& bound : bounds)
        list.push_back({{"steps", bound.steps}, {"kind", to_string(bound.kind)}, {"reason", bound.reason}});
    nlohmann::ordered_json printed = nlohmann::ordered_json::array();
    for (const auto& [steps, formula, source] : formulas::printed_bounds(problem))
        printed.push_back({{"steps", steps}, {"formula", formula}, {"source", source}});
    // The keys of `schedule --json`, so that one script reads both.
    return {{"problem", describe(problem)},
            {"steps", nullptr},
            {"lower_bound", bounds.front().steps},
            {"bound_kind", to_string(bounds.front().kind)},
            {"reason", bounds.front().reason},
            {"optimal", nullptr},
            {"engine", nullptr},
            {"seconds", seconds},
            {"bounds", std::move(list)},
            {"printed", std::move(printed)}};
}

void print_people(const Problem& problem, const std::vector<Bound>& bounds)
{
    Table table{fmt::format("{}: at least {} steps", heading(problem), bounds.front().steps),
                {{"steps", "", Align::right}, {"kind", "", Align::left}, {"reason", "", Align::left}},
                {}};
    for (const Bound& bound : bounds)
        table.add_row({std::to_string(bound.steps), to_string(bound.kind), bound.reason});
    print_text(std::cout, table);
    const std::vector<formulas::PrintedBound> printed = formulas::printed_bounds(problem);
    if (printed.empty())
        return;
    Table papers{"As the papers print it", // for comparison: some of these are loose, some wrong
                 {{"steps", "", Align::right}, {"formula", "", Align::left}, {"paper", "", Align::left}},
                 {}};
    for (const auto& [steps, formula, source] : printed)
        papers.add_row({steps, formula, source});
    std::cout << '\n';
    print_text(std::cout, papers);
}

/// Searches through all schedules with one step more than the last bound excludes, as long as there are none.
void exhaust(const Problem& problem, std::vector<Bound>& bounds, const po::variables_map& map)
{
    SolveControl control;
    control.deadline = std::chrono::steady_clock::now() + seconds_in_range(map, "budget");
    const Proof proof = map["proof"].as<bool>() ? Proof::drat : Proof::none;
    while (const std::optional<Bound> better = exhausted_bound(problem, bounds.front().steps, control, proof))
        bounds.insert(bounds.begin(), *better);
}

} // namespace

int run_bound(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(problem_options());
    po::options_description own("Bound");
    own.add_options()("exhaust", po::bool_switch(),
                      "search through all schedules for a higher bound (SAT); small problems only")(
        "proof", po::bool_switch(), "with --exhaust: put the DRAT proof into the output")(
        "budget", po::value<double>()->value_name("SECONDS")->default_value(60),
        "for --exhaust")("output,o", po::value<std::string>()->value_name("FILE"),
                         "write the bound with its certificate, for 'nocturne certify'");
    options.add(own);
    const po::variables_map map = parse(
        {.command = "bound",
         .positional = "topology",
         .description = "Lower bounds on the number of steps of any schedule for a collective, with their "
                        "reasons, the highest first.\n",
         .examples = {"nocturne bound mesh:4x4 --collective AAS",
                      "nocturne bound mesh:4x4 --collective all-gather --fault link:01-02",
                      "nocturne bound ring:4 --collective AAB --exhaust -o bound.json",
                      "nocturne certify bound.json"}},
        arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    const auto start = std::chrono::steady_clock::now();
    const Problem problem = problem_of(map);
    if (map.count("output") != 0)
        require_file_place(map["output"].as<std::string>());
    std::vector<Bound> bounds = lower_bounds(problem);
    if (map["exhaust"].as<bool>())
        exhaust(problem, bounds, map);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (map.count("output") != 0)
        save_result(map["output"].as<std::string>(), problem, bounds.front(), std::nullopt,
                    to_json(origin_of(map)));
    if (map["json"].as<bool>())
        std::cout << document(problem, bounds, seconds).dump(2) << '\n';
    else
        print_people(problem, bounds);
    return all_is_well;
}

} // namespace nocturne::cli
