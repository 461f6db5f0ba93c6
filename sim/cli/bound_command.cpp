#include "models/topology/files.hpp"
#include "schedules/bounds/flow_bound.hpp"
#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/bounds/printed_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/schedule_formula.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/cli/chunk_bounds_output.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <stdexcept>

namespace nocturne::formulas {

static Fields<PrintedBound> fields_of(const PrintedBound*)
{
    return {"printed bound",
            "What a formula of the papers gives; it need not hold.",
            {{"steps", "", "That it gives.", &PrintedBound::steps},
             {"formula", "", "With its values.", &PrintedBound::formula},
             {"source", "", "The paper.", &PrintedBound::source}}};
}

} // namespace nocturne::formulas

namespace nocturne::cli {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// How `--exhaust` ended: with the number of steps that the last search was for.
struct Exhaust {
    unsigned steps;
    std::optional<Verdict> verdict; ///< InfeasibilitySearch::verdict
    bool is_interrupted = false;
};

std::string_view end_of(const Exhaust& exhaust)
{
    return !exhaust.verdict                          ? "too large"
           : exhaust.verdict == Verdict::satisfiable ? "schedule exists"
                                                     : to_string(EndReason::out_of_budget);
}

std::string describe(const Exhaust& exhaust)
{
    if (exhaust.verdict == Verdict::satisfiable && !exhaust.is_interrupted)
        return fmt::format("there is a schedule with {} steps: the bound cannot be raised", exhaust.steps);
    return fmt::format("{}: whether there is a schedule with {} steps {}",
                       exhaust.is_interrupted ? to_string(EndReason::interrupted) : end_of(exhaust),
                       exhaust.steps,
                       exhaust.verdict || exhaust.is_interrupted ? "is not known" : "was not searched");
}

/// What is printed of the bounds of a problem.
struct BoundOutput {
    Finding finding; ///< without a schedule
    const std::vector<Bound>& bounds;
    const std::optional<Exhaust>& exhaust;
    double seconds;
    bool is_interrupted;
};

std::vector<BoundRow> rows_of_bounds(const BoundOutput& output)
{
    std::vector<BoundRow> rows;
    for (const Bound& bound : output.bounds)
        rows.push_back(bound_row(bound));
    return rows;
}

Fields<Exhaust> fields_of(const Exhaust*)
{
    return {
        "exhaustive search",
        "A search through all schedules with few steps.",
        {{"steps", "", "That the last search was for.", [](const Exhaust& exhaust) { return exhaust.steps; }},
         {"end", "", "`schedule exists`, `too large` or `out of budget`.",
          [](const Exhaust& exhaust) { return std::string(end_of(exhaust)); }}}};
}

Fields<BoundOutput> fields_of(const BoundOutput*)
{
    using Output = BoundOutput;
    return Fields<Output>{"bound", "Lower bounds on the steps of any schedule of messages.", {}}
        .with(&Output::finding)
        .with({{"seconds", "s", seconds_meaning, [](const Output& output) { return output.seconds; }},
               {"interrupted", "", interrupted_meaning,
                [](const Output& output) { return output.is_interrupted; }, Shown::in_files},
               {"bounds", "", "All of them, the highest first.", rows_of_bounds},
               {"exhaust", "", "The exhaustive search; null without one.",
                [](const Output& output) { return output.exhaust; }, Shown::in_files},
               {"printed", "", "For comparison.",
                [](const Output& output) { return formulas::printed_bounds(output.finding.problem); }}});
}

void print_text(const BoundOutput& output)
{
    const std::string title =
        fmt::format("{}: at least {} steps", heading(output.finding.problem), output.bounds.front().steps);
    print_text(std::cout, table_of(title, rows_of_bounds(output)));
    if (output.exhaust)
        std::cout << "exhaustive search: " << describe(*output.exhaust) << '\n';
    const std::vector<formulas::PrintedBound> printed = formulas::printed_bounds(output.finding.problem);
    if (!printed.empty()) // for comparison: some of these are loose, some wrong
        print_below(table_of("As the papers print it", printed));
    if (output.is_interrupted)
        std::cout << "interrupted: the best bounds so far\n";
}

struct FoundBounds {
    std::vector<Bound> bounds; ///< the largest first
    int status = all_is_well;  ///< of the command, if a signal ended the search for more
};

/// What ports say, and the channels of the network and of its middle.
std::vector<Bound> bounds_at_once(const Problem& problem)
{
    constexpr auto at_once = std::chrono::steady_clock::time_point::min();
    std::vector<Bound> bounds = lower_bounds(problem, at_once);
    if (reduces(problem.collective))
        return bounds;
    if (auto flow = flow_bound(problem, at_once)) {
        const bool is_first = flow->steps > bounds.front().steps;
        bounds.insert(is_first ? bounds.begin() : bounds.end(), std::move(*flow));
    }
    return bounds;
}

FoundBounds bounds_of(const Problem& problem)
{
    try {
        const nlohmann::json list = run_alone("bound", [&] {
            nlohmann::json bounds = nlohmann::json::array();
            for (const Bound& bound : lower_bounds(problem))
                bounds.push_back(nlohmann::json(to_json(bound, problem.topology)));
            return bounds;
        });
        FoundBounds found;
        for (const nlohmann::json& each : list)
            found.bounds.push_back(parse_bound(each, problem.topology, "lower bound"));
        return found;
    } catch (const Interrupted& interrupted) {
        return {bounds_at_once(problem), interrupted.exit_status()};
    }
}

/// Searches through all schedules with one step more than the last bound excludes, as long as there are none.
Exhaust exhaust(const Problem& problem, std::vector<Bound>& bounds, std::chrono::milliseconds budget,
                const StopOnSignal& signals)
{
    ProgressLine line("bound");
    const Clock::time_point start = Clock::now();
    SolveControl control;
    control.end = {start + budget, &signals.flag()};
    while (true) {
        const unsigned steps = bounds.front().steps;
        control.on_progress = [&](std::uint64_t conflicts) {
            line.show_text(fmt::format("bound: searching all schedules with {} steps, {} conflicts, {:.0f} s",
                                       steps, conflicts, seconds_since(start)));
        };
        InfeasibilitySearch search = infeasibility_bound(problem, steps, control);
        if (!search.bound)
            return {steps, search.verdict, signals.signal() != 0};
        bounds.insert(bounds.begin(), std::move(*search.bound));
    }
}

/// The files that other checkers of proofs read.
void write_proof(const Problem& problem, const Bound& bound, const OptionValues& given)
{
    const auto* const proof_of_infeasibility = std::get_if<InfeasibilityProof>(&bound.certificate);
    if (proof_of_infeasibility == nullptr)
        throw std::runtime_error(fmt::format(
            "--exhaust has not raised the lower bound of {}: there is no proof to write", bound.steps));
    if (given.has("dimacs")) {
        const auto copying = bounding_problem(problem, bound.origin);
        const Problem& formulated = reduces(problem.collective) && copying ? *copying : problem;
        write_file_atomically(given.text("dimacs"),
                              to_dimacs(*schedule_formula(formulated, bound.steps - 1)));
    }
    if (given.has("proof"))
        write_file_atomically(given.text("proof"), proof_of_infeasibility->proof);
}

void refuse_binary_output(const OptionValues& given)
{
    if (is_binary_schedule(given.text("output")))
        throw std::invalid_argument(
            fmt::format("{}: a bound without a schedule is JSON, and .nsched is not", given.text("output")));
}

Usage usage_of_bound()
{
    return {.command = "bound",
            .summary = "lower bounds on the steps of any schedule, with reasons",
            .positional = "topology",
            .description = "Lower bounds on the number of steps of any schedule for a collective, with their "
                           "reasons, the highest first.\n",
            .examples = {
                "nocturne bound mesh:4x4 --collective AAS",
                "nocturne bound mesh:4x4 --collective all-gather --fault link:01-02",
                "nocturne bound ring:4 --collective AAB --exhaust -o bound.json",
                "nocturne certify bound.json",
                "nocturne bound ring:5 --collective allgather --chunks 2 --objective bandwidth --exhaust"}};
}

OptionTable options_of_bound()
{
    OptionTable options;
    options.add(problem_options());
    options.add(objective_options());
    options.add(option_table(
        "Bound", {{"exhaust", switch_value(),
                   "search through all schedules for a higher bound (SAT); small problems only"},
                  {"budget", seconds_value(60), "time for --exhaust"},
                  {"in-steps",
                   count_value("S", {1, 65'536}),
                   "with --objective and --exhaust: the fewest rounds in so many steps; left out: the fewest",
                   {"exhaust"}},
                  {"dimacs",
                   written_value("FILE"),
                   "with --exhaust: write the formula that was refuted, in DIMACS CNF",
                   {"exhaust"}},
                  {"proof",
                   written_value("FILE"),
                   "with --exhaust: write the proof, in DRAT, for any checker of such proofs",
                   {"exhaust"}},
                  {"output,o", written_value("FILE"),
                   "write the bound with its certificate, for 'nocturne certify'; a proof is part of it"}}));
    return options;
}

int run_bound(const OptionValues& given)
{
    if (has_objective(given)) {
        refuse_given(given, {"dimacs", "proof"},
                     "no --objective beside it: the proof is in the file of --output");
        return bound_chunks(given);
    }
    refuse_given(given, {"seed"}, takes_chance);
    const Clock::time_point start = Clock::now();
    const std::chrono::milliseconds budget = given.seconds("budget");
    const Problem problem = problem_of(given);
    refuse_binary_output(given);
    if (given.is_on("exhaust") && reduces(problem.collective) && !is_copied_backwards(problem))
        throw std::invalid_argument(
            fmt::format("--exhaust searches for copies, and for sums with one receiver each: not for {}",
                        to_string(problem.collective.kind)));
    auto [bounds, status] = bounds_of(problem);
    std::optional<Exhaust> search;
    if (given.is_on("exhaust") && status == all_is_well) {
        const StopOnSignal signals;
        search = exhaust(problem, bounds, budget, signals);
        if (signals.signal() != 0)
            status = 128 + signals.signal();
    }
    const bool is_interrupted = status != all_is_well;
    const double seconds = seconds_since(start);
    if (given.has("dimacs") || given.has("proof"))
        write_proof(problem, bounds.front(), given);
    if (given.has("output"))
        save_result(given.text("output"), problem, bounds.front(), std::nullopt, to_json(origin_of(given)));
    const BoundOutput output{{problem, nullptr, &bounds.front()}, bounds, search, seconds, is_interrupted};
    print_result(output, given, [&] { print_text(output); });
    return status;
}

} // namespace

const ResultDescription& bound_result()
{
    return description_of<BoundOutput>();
}

Command bound_command()
{
    return {usage_of_bound(), options_of_bound, run_bound};
}

} // namespace nocturne::cli
