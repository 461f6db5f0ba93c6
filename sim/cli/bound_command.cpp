#include "models/topology/files.hpp"
#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/bounds/printed_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/schedule_formula.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/table.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// How `--exhaust` ended: with the number of steps that the last search was for.
struct Exhaust {
    unsigned steps;
    InfeasibilitySearch::End end;
};

std::string_view name_of(InfeasibilitySearch::End end)
{
    switch (end) {
    case InfeasibilitySearch::End::proven:
        return "proven";
    case InfeasibilitySearch::End::schedule_exists:
        return "schedule exists";
    case InfeasibilitySearch::End::limit_met:
        return "out of budget";
    case InfeasibilitySearch::End::not_tried:
        break;
    }
    return "too large";
}

std::string describe(const Exhaust& exhaust)
{
    switch (exhaust.end) {
    case InfeasibilitySearch::End::schedule_exists:
        return fmt::format("there is a schedule with {} steps: the bound cannot be raised", exhaust.steps);
    case InfeasibilitySearch::End::limit_met:
        return fmt::format("out of budget: whether there is a schedule with {} steps is not known",
                           exhaust.steps);
    default:
        return fmt::format("too large: whether there is a schedule with {} steps was not searched",
                           exhaust.steps);
    }
}

nlohmann::ordered_json document(const Problem& problem, const std::vector<Bound>& bounds,
                                const std::optional<Exhaust>& exhaust, double seconds)
{
    nlohmann::ordered_json search = nullptr;
    if (exhaust)
        search = {{"steps", exhaust->steps}, {"end", name_of(exhaust->end)}};
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
            {"exhaust", std::move(search)},
            {"printed", std::move(printed)}};
}

void print_text(const Problem& problem, const std::vector<Bound>& bounds,
                const std::optional<Exhaust>& exhaust)
{
    Table table{fmt::format("{}: at least {} steps", heading(problem), bounds.front().steps),
                {{"steps", "", Align::right}, {"kind", "", Align::left}, {"reason", "", Align::left}},
                {}};
    for (const Bound& bound : bounds)
        table.add_row({std::to_string(bound.steps), to_string(bound.kind), bound.reason});
    print_text(std::cout, table);
    if (exhaust)
        std::cout << "exhaustive search: " << describe(*exhaust) << '\n';
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

std::vector<Bound> bounds_of(const Problem& problem)
{
    const nlohmann::json list = run_alone("bound", [&] {
        nlohmann::json bounds = nlohmann::json::array();
        for (const Bound& bound : lower_bounds(problem))
            bounds.push_back(nlohmann::json(to_json(bound, problem.topology)));
        return bounds;
    });
    std::vector<Bound> bounds;
    for (const nlohmann::json& each : list)
        bounds.push_back(parse_bound(each, problem.topology, "lower bound"));
    return bounds;
}

/// Searches through all schedules with one step more than the last bound excludes, as long as there are none.
Exhaust exhaust(const Problem& problem, std::vector<Bound>& bounds, std::chrono::milliseconds budget)
{
    ProgressLine line("bound");
    const Clock::time_point start = Clock::now();
    SolveControl control;
    control.deadline = start + budget;
    while (true) {
        const unsigned steps = bounds.front().steps;
        control.on_progress = [&](std::uint64_t conflicts) {
            line.show_text(fmt::format("bound: searching all schedules with {} steps, {} conflicts, {:.0f} s",
                                       steps, conflicts, seconds_since(start)));
        };
        InfeasibilitySearch search = infeasibility_bound(problem, steps, control);
        if (!search.bound)
            return {steps, search.end};
        bounds.insert(bounds.begin(), std::move(*search.bound));
    }
}

/// The files that other checkers of proofs read.
void write_proof(const Problem& problem, const Bound& bound, const po::variables_map& map)
{
    const auto* const proof_of_infeasibility = std::get_if<InfeasibilityProof>(&bound.certificate);
    if (proof_of_infeasibility == nullptr)
        throw std::runtime_error(fmt::format(
            "--exhaust has not raised the lower bound of {}: there is no proof to write", bound.steps));
    if (map.count("dimacs") != 0)
        write_file_atomically(map["dimacs"].as<std::string>(),
                              to_dimacs(*schedule_formula(problem, bound.steps - 1)));
    if (map.count("proof") != 0)
        write_file_atomically(map["proof"].as<std::string>(), proof_of_infeasibility->proof);
}

void check_places(const po::variables_map& map)
{
    for (const char* const option : {"output", "dimacs", "proof"}) {
        if (map.count(option) == 0)
            continue;
        if (std::string_view(option) != "output" && !map["exhaust"].as<bool>())
            throw std::invalid_argument(fmt::format("--{} is for --exhaust", option));
        require_file_place(map[option].as<std::string>());
    }
}

} // namespace

int run_bound(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(problem_options());
    po::options_description own("Bound");
    own.add_options()("exhaust", po::bool_switch(),
                      "search through all schedules for a higher bound (SAT); small problems only")(
        "budget", po::value<double>()->value_name("SECONDS")->default_value(60),
        "time for --exhaust")("dimacs", po::value<std::string>()->value_name("FILE"),
                              "with --exhaust: write the formula that was refuted, in DIMACS CNF")(
        "proof", po::value<std::string>()->value_name("FILE"),
        "with --exhaust: write the proof, in DRAT, for any checker of such proofs")(
        "output,o", po::value<std::string>()->value_name("FILE"),
        "write the bound with its certificate, for 'nocturne certify'; a proof is part of it");
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
    const Clock::time_point start = Clock::now();
    const std::chrono::milliseconds budget = seconds_in_range(map, "budget");
    const Problem problem = problem_of(map);
    check_places(map);
    std::vector<Bound> bounds = bounds_of(problem);
    std::optional<Exhaust> search;
    if (map["exhaust"].as<bool>())
        search = exhaust(problem, bounds, budget);
    const double seconds = seconds_since(start);
    if (map.count("dimacs") + map.count("proof") != 0)
        write_proof(problem, bounds.front(), map);
    if (map.count("output") != 0)
        save_result(map["output"].as<std::string>(), problem, bounds.front(), std::nullopt,
                    to_json(origin_of(map)));
    if (map["json"].as<bool>())
        std::cout << document(problem, bounds, search, seconds).dump(2) << '\n';
    else
        print_text(problem, bounds, search);
    return all_is_well;
}

} // namespace nocturne::cli
