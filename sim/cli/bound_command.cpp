#include "models/topology/files.hpp"
#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/bounds/printed_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/schedule_formula.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/workers/workers.hpp"
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
            "Value of a paper's formula; it is not proven here.",
            {{"steps", "", "Number of steps by the formula.", &PrintedBound::steps},
             {"formula", "", "The formula with its values.", &PrintedBound::formula},
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

/// How `--exhaust` ended: with the steps, of chunks also the rounds, that the last search was for.
struct Exhaust {
    unsigned steps;
    std::optional<unsigned> rounds;
    std::optional<Verdict> verdict; ///< InfeasibilitySearch::verdict
    bool is_interrupted = false;
};

std::string_view end_of(const Exhaust& exhaust)
{
    return !exhaust.verdict                          ? "too large"
           : exhaust.verdict == Verdict::satisfiable ? "schedule exists"
           : exhaust.is_interrupted                  ? to_string(EndReason::interrupted)
                                                     : to_string(EndReason::out_of_budget);
}

std::string describe(const Exhaust& exhaust)
{
    const std::string shape = exhaust.rounds
                                  ? fmt::format("in {} steps and {} rounds", exhaust.steps, *exhaust.rounds)
                                  : fmt::format("with {} steps", exhaust.steps);
    if (exhaust.verdict == Verdict::satisfiable)
        return fmt::format("there is a schedule {}: the bound cannot be raised", shape);
    return fmt::format("{}: whether there is a schedule {} {}", end_of(exhaust), shape,
                       exhaust.verdict || exhaust.is_interrupted ? "is not known" : "was not searched");
}

Fields<Exhaust> fields_of(const Exhaust*)
{
    return {"exhaustive search",
            "Exhaustive search for schedules below the bound.",
            {{"steps", "", "Steps of the last search.", [](const Exhaust& exhaust) { return exhaust.steps; }},
             {"rounds", "", "For chunks: rounds of the last search.",
              [](const Exhaust& exhaust) { return exhaust.rounds; }},
             {"end", "", "`schedule exists`, `too large`, `out of budget` or `interrupted`.",
              [](const Exhaust& exhaust) { return std::string(end_of(exhaust)); }}}};
}

/// What is printed of the bounds of a problem.
struct BoundOutput {
    Finding finding; ///< without a schedule
    std::vector<BoundRow> bounds;
    std::optional<Exhaust> exhaust;
    double seconds;
    bool is_interrupted;
    std::vector<formulas::PrintedBound> printed = {};
    MadeFor setting = {};                         ///< of chunks
    std::optional<double> time_ns = std::nullopt; ///< of chunks: the bound on it
    std::string least = {};                       ///< of what is asked for: `3 steps`
};

Fields<BoundOutput> fields_of(const BoundOutput*)
{
    using Output = BoundOutput;
    return Fields<Output>{"bound", "Lower bounds that no schedule can beat.", {}}
        .with(&Output::finding)
        .with(
            {{"bytes", "bytes", bytes_meaning, [](const Output& of) { return of.setting.bytes; }},
             {"start_cycles", "cycles", start_cycles_meaning,
              [](const Output& of) { return of.setting.start_cycles; }},
             {"cycle_ns", "ns", cycle_ns_meaning, [](const Output& of) { return of.setting.cycle_ns; }},
             {"time_ns", "ns", "Lower bound on the time of any schedule in chunks, by the alpha-beta model.",
              &Output::time_ns},
             {"seconds", "s", seconds_meaning, &Output::seconds},
             {"interrupted", "", interrupted_meaning, &Output::is_interrupted, Shown::in_files},
             {"bounds", "", "All bounds; for messages the highest first.", &Output::bounds},
             {"exhaust", "", "Exhaustive search; null if none was asked for.",
              [](const Output& output) { return output.exhaust; }, Shown::in_files},
             {"printed", "", "Bounds printed in papers, for comparison.", &Output::printed}});
}

void print_text(const BoundOutput& output)
{
    std::string title = heading(output.finding);
    if (output.setting.bytes)
        title += fmt::format(", of {} bytes", *output.setting.bytes);
    title += fmt::format(": at least {}", output.least);
    print_text(std::cout, table_of(title, output.bounds));
    if (output.exhaust)
        std::cout << "exhaustive search: " << describe(*output.exhaust) << '\n';
    if (!output.printed.empty()) // some of these are loose, some wrong
        print_below(table_of("As the papers print it", output.printed));
    if (output.is_interrupted)
        std::cout << "interrupted: the best bounds so far\n";
}

int print(const BoundOutput& output, const OptionValues& given, int status)
{
    print_result(output, given, [&] { print_text(output); });
    return status;
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
            return {steps, std::nullopt, search.verdict, signals.signal() != 0};
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

OptionTable options_of_bound()
{
    OptionTable options;
    options.add(problem_options());
    options.add(objective_options());
    options.add(option_table(
        "Bound",
        {{"exhaust", switch_value(), "raise the bound by exhaustive search (SAT); small problems only"},
         {"budget", seconds_value(60), "time limit of --exhaust"},
         {"in-steps",
          count_value("S", {1, 65'536}),
          "with --objective and --exhaust: minimize rounds in S steps; default: the fewest steps",
          {"exhaust"}},
         {"dimacs",
          written_value("FILE"),
          "with --exhaust: write the refuted formula in DIMACS CNF",
          {"exhaust"}},
         {"proof",
          written_value("FILE"),
          "with --exhaust: write the DRAT proof, for any DRAT checker",
          {"exhaust"}},
         {"output,o", written_value("FILE"),
          "write the bound with its certificate, including proofs, for 'nocturne certify'"}}));
    return options;
}

/// The most rounds that no schedule in these steps has, from the bound on rounds upwards.
Exhaust exhaust_rounds(const LinkNetwork& network, const Collective& collective, std::uint32_t steps,
                       const SearchEnd& end, Bounds& bounds)
{
    std::uint64_t least = steps;
    if (bounds.rounds)
        least = std::max(least, rounded_up(bounds.rounds->rounds));
    for (auto rounds = static_cast<std::uint32_t>(least);; ++rounds) {
        const ExactConfig question{.shape = {steps, rounds}, .end = end, .proof = Proof::drat};
        if (end.has_come())
            return {steps, rounds, Verdict::unknown, end.is_stopped()};
        ExactAnswer answer = decide_steps(network, collective, question);
        if (answer.verdict != Verdict::unsatisfiable)
            return {steps, rounds, answer.verdict, end.is_stopped()};
        bounds.rounds_in_steps = {Bound{.steps = steps,
                                        .certificate = InfeasibilityProof{std::move(answer.proof)},
                                        .measure = Measure::rounds_in_steps,
                                        .rounds = {std::uint64_t{rounds} + 1}}};
    }
}

std::optional<Exhaust> exhaust_chunks(const OptionValues& given, const LinkNetwork& network,
                                      const Collective& collective, std::chrono::milliseconds budget,
                                      const std::atomic<bool>& stop, Bounds& bounds)
{
    if (!given.is_on("exhaust"))
        return std::nullopt;
    if (reduces(collective) && !can_be_turned(collective))
        throw std::invalid_argument(
            fmt::format("--exhaust searches for copies, and for sums with one receiver each: not for {}",
                        to_string(collective.kind)));
    const std::uint32_t fewest = bounds.steps->steps;
    const std::uint32_t steps = given.has("in-steps") ? given.small_count("in-steps") : fewest;
    if (steps < fewest)
        throw std::invalid_argument(
            fmt::format("--in-steps {}: no schedule has fewer steps than {}", steps, fewest));
    return exhaust_rounds(network, collective, steps, end_after(budget, &stop), bounds);
}

void save_bounds(const OptionValues& given, const ChunkProblem& problem, const Collective& collective,
                 const MadeFor& setting, const Bounds& bounds, const LinkDefaults& defaults)
{
    Schedule none = empty_schedule("", problem.topology->name(), collective, ScheduleSynchronization::steps);
    none.made_for = setting;
    write_file_atomically(
        given.text("output"),
        bound_text(none, *problem.topology,
                   {{"lower_bounds", to_json(bounds)}, {"made_by", to_json(origin_of(given))}}, defaults));
}

int bound_chunks(const OptionValues& given, Clock::time_point start)
{
    refuse_given(given, {"dimacs", "proof"}, "not with --objective; the proof is in --output");
    const StopOnSignal signals;
    const std::chrono::milliseconds budget = given.seconds("budget");
    const auto [problem, defaults] = chunk_input(given);
    MadeFor setting = setting_of(problem);
    setting.cycle_ns = cycle_of(given);
    const Collective collective = in_parts(problem.collective, problem.parts.value_or(1));
    Bounds bounds = best_chunk_bounds(problem.network, collective, cost_of(problem, collective),
                                      problem.parts ? BoundScope::own_parts : BoundScope::any_parts,
                                      {.stop = &signals.flag()});
    if (!bounds.steps)
        throw std::invalid_argument(fmt::format(
            "{}: a receiver cannot be reached, or there is nothing to deliver", problem.network.name()));
    const std::optional<Exhaust> search =
        exhaust_chunks(given, problem.network, collective, budget, signals.flag(), bounds);
    const int status = signals.exit_status();
    if (given.has("output"))
        save_bounds(given, problem, collective, setting, bounds, defaults);
    Finding finding = finding_of(describe(problem), collective, problem.network, nullptr, bounds);
    finding.chunks = problem.parts;
    std::string least = least_of(problem.objective, bounds, *setting.cycle_ns);
    if (problem.objective == ChunkObjective::time) {
        finding.links =
            link_rates_text(given, problem.topology.value(), problem.network, problem.start_cycles);
        least += ", over links of " + finding.links;
    }
    return print(
        {.finding = std::move(finding),
         .bounds = bound_rows(bounds, problem.network),
         .exhaust = search,
         .seconds = seconds_since(start),
         .is_interrupted = status != all_is_well,
         .setting = setting,
         .time_ns = bounds.cycles ? std::optional(bounds.cycles->cycles * *setting.cycle_ns) : std::nullopt,
         .least = least},
        given, status);
}

int run_bound(const OptionValues& given)
{
    const Clock::time_point start = Clock::now();
    refuse_given(given, {"seed"}, nothing_random);
    if (has_objective(given))
        return bound_chunks(given, start);
    const std::chrono::milliseconds budget = given.seconds("budget");
    const Problem problem = problem_of(given);
    if (is_binary_schedule(given.text("output")))
        throw std::invalid_argument(
            fmt::format("{}: a bound without a schedule is JSON, and .nsched is not", given.text("output")));
    auto [bounds, status] = bounds_of(problem);
    std::optional<Exhaust> search;
    if (given.is_on("exhaust") && status == all_is_well) {
        const StopOnSignal signals;
        search = exhaust(problem, bounds, budget, signals);
        if (signals.signal() != 0)
            status = signals.exit_status();
    }
    if (given.has("dimacs") || given.has("proof"))
        write_proof(problem, bounds.front(), given);
    if (given.has("output"))
        save_result(given.text("output"), problem, bounds.front(), std::nullopt, to_json(origin_of(given)));
    std::vector<BoundRow> rows;
    for (const Bound& bound : bounds)
        rows.push_back(bound_row(bound));
    return print({.finding = finding_of(problem, nullptr, &bounds.front()),
                  .bounds = std::move(rows),
                  .exhaust = search,
                  .seconds = seconds_since(start),
                  .is_interrupted = status != all_is_well,
                  .printed = formulas::printed_bounds(problem),
                  .least = fmt::format("{} steps", bounds.front().steps)},
                 given, status);
}

} // namespace

Command bound_command()
{
    return {
        {.command = "bound",
         .summary = "lower bounds on the steps of any schedule, with reasons",
         .positional = "topology",
         .description = "Computes lower bounds on the steps of any schedule, or its time (--bytes).\n",
         .examples =
             {"nocturne bound mesh:4x4 --collective AAS",
              "nocturne bound mesh:4x4 --collective all-gather --fault link:01-02",
              "nocturne bound ring:4 --collective AAB --exhaust -o bound.json", "nocturne certify bound.json",
              "nocturne bound ring:5 --collective allgather --chunks 2 --objective bandwidth --exhaust"},
         .bare_words = {bare_collective, bare_size}},
        options_of_bound,
        run_bound,
        {description_of<BoundOutput>}};
}

} // namespace nocturne::cli
