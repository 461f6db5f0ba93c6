#include "testbenches/large_scatters/measure.hpp"

#include "models/text/number.hpp"
#include "models/topology/faults.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/report/columns.hpp"
#include "testbenches/large_scatters/networks.hpp"
#include "testbenches/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <sys/resource.h>
#include <utility>

namespace nocturne::large_scatters {
namespace {

constexpr std::string_view expected_header =
    "network,processors,bound_steps,found_steps,over_the_bound_percent,engine,bound_by,search_s,memory_mib,"
    "verdict";

Problem make_problem_of(const Row& row)
{
    std::vector<std::string> faults;
    if (!row.fault.empty())
        faults.push_back(row.fault);
    Topology topology = with_faults(make_network(row.network), faults);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(std::move(topology), make_collective(CollectiveKind::alltoall, processors, {}));
}

/// Of this process and of those that it has waited for.
double peak_mebibytes()
{
    rusage own{}, children{};
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return static_cast<double>(std::max(own.ru_maxrss, children.ru_maxrss)) / 1024;
}

std::string refutation_of(const Problem& problem, const PortfolioResult& found)
{
    if (const auto why = refute(problem, found.bound))
        return fmt::format("the bound of {} steps is not proven: {}", found.bound.steps, *why);
    if (found.schedule && !validate(*found.schedule, problem).empty())
        return "the schedule is not valid";
    return "";
}

nlohmann::json search(const Row& row, const SearchLimits& limits)
{
    PortfolioOptions options;
    options.begun = std::chrono::steady_clock::now();
    options.engine = limits.engine;
    options.budget = limits.budget;
    options.seed = limits.seed;
    options.workers = limits.workers;
    options.most_memory = limits.most_memory;
    const Problem problem = make_problem_of(row);
    const PortfolioResult found = find_schedule(problem, options);
    if (found.signal != 0)
        throw std::runtime_error(fmt::format("{}: signal {}", problem.topology.name(), found.signal));
    const double mebibytes = peak_mebibytes(); // the checks below are not part of the search
    nlohmann::json steps;
    if (found.schedule)
        steps = found.schedule->steps.size();
    return {{"network", problem.topology.name()},
            {"processors", problem.topology.processor_count()},
            {"bound", found.bound.steps},
            {"kind", kind_of(found.bound)},
            {"steps", steps},
            {"engine", found.engine},
            {"seconds", found.seconds},
            {"mebibytes", mebibytes},
            {"refutation", refutation_of(problem, found)}};
}

/// By network; only of those with a schedule.
std::map<std::string, double> expected_gaps(const std::filesystem::path& expected)
{
    std::map<std::string, double> gaps;
    testbench::read_records(expected, expected_header, [&](const testbench::Fields& fields) {
        if (const auto gap = number_of<double>(fields[4]))
            gaps.emplace(fields[0], *gap);
    });
    return gaps;
}

} // namespace

std::vector<Row> read_rows(const std::filesystem::path& path)
{
    std::vector<Row> rows;
    testbench::read_records(path, "network,fault,goal_percent", [&](const testbench::Fields& fields) {
        const auto goal = number_of<double>(fields[2]);
        if (!goal || *goal < 0)
            throw std::invalid_argument(fmt::format("'{}' is no goal in per cent", fields[2]));
        rows.push_back({fields[0], fields[1], *goal});
    });
    return rows;
}

std::optional<double> Result::gap_percent() const
{
    if (!steps)
        return std::nullopt;
    return 100 * (static_cast<double>(*steps) - static_cast<double>(bound)) / static_cast<double>(bound);
}

std::string Result::verdict() const
{
    const auto gap = gap_percent();
    if (!gap)
        return "no schedule";
    if (*steps == bound)
        return "at the bound";
    return *gap <= row.goal_percent
               ? fmt::format("within {:g} %", row.goal_percent)
               : fmt::format("{:.1f} % over, the goal is {:g} %", *gap, row.goal_percent);
}

Result measure(const Row& row, const SearchLimits& limits)
{
    const Job job = [&] { return search(row, limits); };
    const nlohmann::json found = run_jobs(std::span(&job, 1)).front();
    Result result;
    result.row = row;
    found["network"].get_to(result.network);
    found["processors"].get_to(result.processors);
    found["bound"].get_to(result.bound);
    found["kind"].get_to(result.kind);
    if (!found["steps"].is_null())
        result.steps = found["steps"].get<std::uint64_t>();
    found["engine"].get_to(result.engine);
    found["seconds"].get_to(result.seconds);
    found["mebibytes"].get_to(result.mebibytes);
    found["refutation"].get_to(result.refutation);
    return result;
}

Table result_table(const std::vector<Result>& results)
{
    return table_of("All-to-all scatters on large networks", results,
                    {{"network", "", &Result::network},
                     {"processors", "", &Result::processors},
                     {"bound", "steps", &Result::bound},
                     {"found", "steps", &Result::steps},
                     {"over the bound", "%", &Result::gap_percent, 2},
                     {"engine", "", &Result::engine},
                     {"bound by", "", &Result::kind},
                     {"search", "s", &Result::seconds, 1},
                     {"memory", "MiB", &Result::mebibytes, 0},
                     {"verdict", "", &Result::verdict}});
}

std::vector<std::string> failures(const std::vector<Result>& results, const SearchLimits& limits,
                                  const std::filesystem::path& expected, double margin_percent)
{
    const auto gaps = expected.empty() ? std::map<std::string, double>() : expected_gaps(expected);
    std::vector<std::string> lines;
    for (const Result& result : results) {
        if (!result.refutation.empty())
            lines.push_back(fmt::format("{}: {}", result.network, result.refutation));
        if (result.mebibytes * 1024 * 1024 > static_cast<double>(limits.most_memory))
            lines.push_back(fmt::format("{}: a process took {:.0f} MiB, more than the {} MiB that it may",
                                        result.network, result.mebibytes, limits.most_memory >> 20));
        const auto known = gaps.find(result.network);
        if (known == gaps.end())
            continue;
        if (const auto gap = result.gap_percent(); !gap)
            lines.push_back(fmt::format("{}: no schedule, expected one {:.2f} % over the bound",
                                        result.network, known->second));
        else if (*gap > known->second + margin_percent)
            lines.push_back(fmt::format("{}: {:.2f} % over the bound, expected {:.2f} % or up to {:g} more",
                                        result.network, *gap, known->second, margin_percent));
    }
    return lines;
}

} // namespace nocturne::large_scatters
