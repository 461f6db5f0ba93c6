#include "testbenches/evolution/as_printed.hpp"

#include "schedules/evolution/presets.hpp"
#include "sim/evolution/evolve.hpp"
#include "sim/report/columns.hpp"
#include "testbenches/records.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace nocturne::evolution {
namespace {

constexpr std::string_view as_printed_header =
    "network,collective,participants,ports,engine,printed_steps,printed_success_percent,printed_time_s,"
    "evaluations,runs,successes,conflicts_left,mean_evaluations,time_s,verdict";

std::uint64_t budget_of(const PrintedCell& cell, const Limits& limits)
{
    return cell.as_printed_evaluations.value_or(limits.as_printed_evaluations);
}

/// The preset with what the paper fits to each problem.
EvolutionParameters preset_of(const PrintedCell& cell)
{
    EvolutionParameters parameters = as_printed(cell.engine);
    if (auto* const mboa = std::get_if<MboaParameters>(&parameters)) {
        mboa->population = cell.population.value_or(mboa->population);
        // The one cell that the paper itself allows longer paths.
        mboa->paths.slack = cell.problem.slack.value_or(0);
    }
    return parameters;
}

AsPrinted result_for(const PrintedCell& cell, const Problem& problem)
{
    AsPrinted result;
    result.network = cell.problem.topology;
    result.collective = cell.problem.collective;
    result.participants = testbench::participants_of(cell.problem);
    result.ports = testbench::ports_of(problem);
    result.engine = cell.engine;
    result.printed_steps = cell.printed_steps;
    result.printed_percent = cell.printed_percent;
    result.printed_seconds = cell.printed_seconds;
    return result;
}

auto identity_of(const AsPrinted& result)
{
    return std::tie(result.network, result.collective, result.participants, result.ports, result.engine,
                    result.printed_steps);
}

bool is_same_cell(const AsPrinted& a, const AsPrinted& b)
{
    return identity_of(a) == identity_of(b);
}

std::uint64_t required(const std::string& text)
{
    return testbench::number_of(text).value_or(0);
}

AsPrinted result_of(const testbench::Fields& fields)
{
    AsPrinted result;
    result.network = fields[0];
    result.collective = fields[1];
    result.participants = fields[2];
    result.ports = fields[3];
    result.engine = fields[4];
    result.printed_steps = static_cast<unsigned>(required(fields[5]));
    result.printed_percent = testbench::number_of(fields[6]);
    result.printed_seconds = testbench::number_of(fields[7]);
    result.evaluations = required(fields[8]);
    result.runs = static_cast<unsigned>(required(fields[9]));
    result.successes = static_cast<unsigned>(required(fields[10]));
    result.conflicts = required(fields[11]);
    result.mean_evaluations = required(fields[12]);
    result.seconds = fields[13].empty() ? 0 : std::stod(fields[13]);
    return result;
}

} // namespace

AsPrinted run_as_printed(const PrintedCell& cell, const Limits& limits)
{
    const Problem problem = make_problem(cell.problem);
    EvolveOptions options;
    options.parameters = preset_of(cell);
    options.steps = cell.printed_steps;
    options.runs = limits.runs;
    options.seed = limits.seed;
    options.evaluations = budget_of(cell, limits);
    options.budget = limits.budget;
    options.workers = limits.workers;
    const std::vector<EvolutionRun> runs = evolve(problem, options).runs;
    const SuccessRate rate = success_rate(runs);
    AsPrinted result = result_for(cell, problem);
    result.evaluations = options.evaluations;
    result.runs = limits.runs;
    result.successes = static_cast<unsigned>(rate.successes);
    for (const EvolutionRun& run : runs)
        result.conflicts += run.conflicts;
    result.conflicts = (result.conflicts + runs.size() - 1) / runs.size();
    result.mean_evaluations = static_cast<std::uint64_t>(rate.evaluations);
    result.seconds = std::round(rate.seconds * 1000) / 1000;
    return result;
}

bool is_result_of(const AsPrinted& result, const PrintedCell& cell, const Limits& limits)
{
    return is_same_cell(result, result_for(cell, make_problem(cell.problem))) && result.runs == limits.runs &&
           result.evaluations == budget_of(cell, limits);
}

std::string verdict(const AsPrinted& result)
{
    return rate_verdict(100.0 * result.successes / result.runs, result.printed_percent);
}

std::vector<AsPrinted> read_as_printed(const std::filesystem::path& path)
{
    std::vector<AsPrinted> results;
    if (std::filesystem::exists(path))
        testbench::read_records(path, as_printed_header, [&](const testbench::Fields& fields) {
            results.push_back(result_of(fields));
        });
    return results;
}

Table as_printed_table(std::span<const AsPrinted> results)
{
    const auto of_successes = [](auto member) {
        return [=](const AsPrinted& result) {
            return result.successes == 0 ? std::nullopt : std::optional(result.*member);
        };
    };
    return table_of("Success of the papers' algorithms as printed", results,
                    {{"network", "", &AsPrinted::network},
                     {"collective", "", &AsPrinted::collective},
                     {"participants", "", &AsPrinted::participants},
                     {"ports", "", &AsPrinted::ports},
                     {"engine", "", &AsPrinted::engine},
                     {"printed", "steps", &AsPrinted::printed_steps},
                     {"printed success", "%", &AsPrinted::printed_percent},
                     {"printed time", "s", &AsPrinted::printed_seconds},
                     {"evaluations", "", &AsPrinted::evaluations},
                     {"runs", "", &AsPrinted::runs},
                     {"successes", "", &AsPrinted::successes},
                     {"conflicts left", "", &AsPrinted::conflicts},
                     {"mean evaluations", "", of_successes(&AsPrinted::mean_evaluations)},
                     {"time", "s", of_successes(&AsPrinted::seconds), 3},
                     {"verdict", "", [](const AsPrinted& result) { return verdict(result); }}});
}

std::vector<std::string> differences(std::span<const AsPrinted> results, std::span<const AsPrinted> expected)
{
    std::vector<std::string> different;
    for (const AsPrinted& result : results)
        for (const AsPrinted& other : expected)
            if (is_same_cell(result, other) && result.evaluations == other.evaluations &&
                result.runs == other.runs &&
                std::tie(result.successes, result.conflicts, result.mean_evaluations) !=
                    std::tie(other.successes, other.conflicts, other.mean_evaluations))
                different.push_back(fmt::format("{} on {} {}, {} as printed: {} of {} runs, expected {}",
                                                result.collective, result.network, result.participants,
                                                result.engine, result.successes, result.runs,
                                                other.successes));
    return different;
}

} // namespace nocturne::evolution
