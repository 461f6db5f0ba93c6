// Every cell of the papers' tables: bound, schedule, replay and verdict; README.md says what is claimed and
// what came out.
#include "models/topology/files.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/replay/replay.hpp"
#include "sim/report/columns.hpp"
#include "sim/report/plot.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/table.hpp"
#include "sim/result_files/result_file.hpp"
#include "testbenches/lower_bounds/cells.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

namespace {

using namespace nocturne;
using lower_bounds::Cell;

struct Configuration {
    std::string cells;
    std::string only;                   ///< part of a network's name; empty: all
    double budget_seconds = 60;         ///< for one cell
    std::uint64_t message_bytes = 1024; ///< of the replay
    std::uint64_t seed = 1;
    unsigned workers = 0;
    std::string expected;
    std::string output;
};

struct Finding {
    Cell cell;
    std::string network; ///< with its fault
    std::string participants;
    std::string ports;
    std::size_t processors;
    PortfolioResult result;
    std::optional<std::string> refutation; ///< why the certificate of the bound does not hold
    /// Over minimal paths, which are all that the papers allow unless they say otherwise: where fewer steps
    /// than printed were found without that limit.
    std::optional<PortfolioResult> minimal;
    std::optional<double> simulated_ns; ///< nothing: the schedule did not run as it should
};

/// Time of the schedule on the simulated hardware, in a process of its own, ns; nothing if a flit was ever
/// blocked or a memory was wrong.
std::optional<double> simulated_time(const Schedule& schedule, const Topology& topology,
                                     const Configuration& configuration)
{
    const Job job = [&] {
        SimulationOptions options;
        options.message_bytes = configuration.message_bytes;
        const ReplayResult result =
            replay_in_this_process(schedule, topology, Synchronization::barrier, options);
        const bool is_right = result.violations.empty() && !result.run.stall && result.run.memory_ok &&
                              result.run.blocked_cycles == 0;
        return is_right ? nlohmann::json(result.run.time_ns) : nlohmann::json(nullptr);
    };
    const nlohmann::json time = run_jobs(std::span(&job, 1)).front();
    return time.is_null() ? std::nullopt : std::optional<double>(time.get<double>());
}

/// Fewer steps than printed, or than the printed bound allows.
bool is_below_printed(const Finding& finding)
{
    const unsigned proven = finding.result.bound.steps;
    return finding.result.is_optimal() && (finding.cell.printed_steps.value_or(proven) > proven ||
                                           finding.cell.printed_bound.value_or(proven) > proven);
}

/// Is the result out of reach over minimal paths?
bool needs_longer_paths(const Finding& finding)
{
    return finding.minimal && !(finding.minimal->schedule &&
                                finding.minimal->schedule->steps.size() == finding.result.bound.steps);
}

/// What is known of minimal paths: `22`, or `at least 22`.
std::string minimal_steps(const PortfolioResult& minimal)
{
    return fmt::format("{}{}", minimal.is_optimal() ? "" : "at least ", minimal.bound.steps);
}

Finding examine(const Cell& cell, const Configuration& configuration)
{
    const Problem problem = make_problem(cell.problem);
    PortfolioOptions options;
    options.budget =
        std::chrono::milliseconds(static_cast<std::int64_t>(configuration.budget_seconds * 1000));
    options.seed = configuration.seed;
    options.workers = configuration.workers;
    Finding finding{cell,
                    problem.topology.name(),
                    testbench::participants_of(cell.problem),
                    testbench::ports_of(problem),
                    problem.topology.processor_count(),
                    find_schedule(problem, options),
                    std::nullopt,
                    std::nullopt,
                    std::nullopt};
    finding.refutation = refute(problem, finding.result.bound);
    if (is_below_printed(finding) && !problem.slack) {
        Problem straight = problem;
        straight.slack = 0;
        finding.minimal = find_schedule(straight, options);
    }
    if (finding.result.schedule)
        finding.simulated_ns = simulated_time(*finding.result.schedule, problem.topology, configuration);
    return finding;
}

/// What is to be said of the printed figures.
std::string verdict(const Finding& finding)
{
    if (!finding.result.is_optimal())
        return finding.result.schedule ? "open" : "no schedule found";
    const unsigned proven = finding.result.bound.steps;
    const std::optional<unsigned> printed = finding.cell.printed_steps;
    const bool is_longer = needs_longer_paths(finding);
    std::string text;
    if (!printed)
        text = "none printed, optimal now";
    else if (*printed == proven)
        text = "confirmed optimal";
    else if (*printed > proven && is_longer)
        text = fmt::format("improved over longer paths only (printed {}, proved {}, over minimal paths {})",
                           *printed, proven, minimal_steps(*finding.minimal));
    else if (*printed > proven)
        text = fmt::format("improved (printed {}, proved {})", *printed, proven);
    else
        text = fmt::format("steps refuted (printed {}, {} are needed)", *printed, proven);
    if (const std::optional<unsigned> bound = finding.cell.printed_bound; bound && *bound != proven) {
        if (!is_longer)
            text += fmt::format("; bound refuted (printed {}, {} is right)", *bound, proven);
        else if (*bound != finding.minimal->bound.steps)
            text += fmt::format("; bound refuted (printed {}, over minimal paths {} is right)", *bound,
                                finding.minimal->bound.steps);
    }
    return text;
}

/// What does not depend on machine and clock.
Table verdict_table(const std::vector<Finding>& findings)
{
    const auto cell = [](auto member) {
        return [=](const Finding& finding) { return finding.cell.*member; };
    };
    const auto found = [](const Finding& finding) {
        const std::optional<Schedule>& schedule = finding.result.schedule;
        return schedule ? std::optional(schedule->steps.size()) : std::nullopt;
    };
    return table_of(
        "The papers' tables: printed and proven steps", findings,
        {{"paper", "", cell(&Cell::paper)},
         {"network", "", &Finding::network},
         {"collective", "", [](const Finding& finding) { return finding.cell.problem.collective; }},
         {"participants", "", &Finding::participants},
         {"ports", "", &Finding::ports},
         {"printed", "steps", cell(&Cell::printed_steps)},
         {"printed bound", "steps", cell(&Cell::printed_bound)},
         {"bound", "steps", [](const Finding& finding) { return finding.result.bound.steps; }},
         {"found", "steps", found},
         {"verdict", "", verdict}});
}

/// The same with how it was found.
Table full_table(const std::vector<Finding>& findings)
{
    return beside(
        verdict_table(findings),
        table_of(
            "", findings,
            {{"kind", "", [](const Finding& finding) { return std::string(kind_of(finding.result.bound)); }},
             {"engine", "", [](const Finding& finding) { return finding.result.engine; }},
             {"search", "s", [](const Finding& finding) { return finding.result.seconds; }, 2},
             {"simulated", "ns", &Finding::simulated_ns, 0},
             {"reason", "", [](const Finding& finding) { return finding.result.bound.reason; }}}));
}

/// On the terminal reasons are too long, and the paper is known from the network.
Table short_table(const std::vector<Finding>& findings)
{
    Table table = full_table(findings);
    const auto drop = [&](std::ptrdiff_t column) {
        table.columns.erase(table.columns.begin() + column);
        for (auto& row : table.rows)
            row.erase(row.begin() + column);
    };
    drop(static_cast<std::ptrdiff_t>(table.columns.size()) - 1);
    drop(0);
    return table;
}

Table summary(const std::vector<Finding>& findings)
{
    std::map<std::string, std::uint64_t> verdicts;
    for (const Finding& finding : findings) {
        std::string text = verdict(finding);
        for (std::size_t open = text.find(" ("); open != std::string::npos; open = text.find(" ("))
            text.erase(open, text.find(')', open) - open + 1);
        ++verdicts[text];
    }
    using Verdict = std::pair<const std::string, std::uint64_t>;
    return table_of("Verdicts", verdicts,
                    {{"verdict", "", &Verdict::first}, {"cells", "", &Verdict::second}});
}

/// Printed against proven steps where they differ, a pair of bars for each kind of cell.
std::string picture(const std::vector<Finding>& findings)
{
    BarPlot plot{"Where printed and proven steps differ", {"steps", Scale::log2, 1.0, {}}, {}, {}};
    Bars printed{"printed", {}};
    Bars proven{"proven optimal", {}};
    std::vector<std::string> seen;
    for (const Finding& finding : findings) {
        const std::optional<unsigned> steps = finding.cell.printed_steps;
        if (!steps || !finding.result.is_optimal() || *steps == finding.result.bound.steps)
            continue;
        // Single faults of a network that end alike are one pair of bars.
        const bool is_faulty = !finding.cell.problem.faults.empty();
        const std::string& fault = is_faulty ? finding.cell.problem.faults.front() : finding.network;
        std::string name = fmt::format("{}{} {}", finding.cell.problem.topology,
                                       is_faulty ? " -" + fault.substr(0, fault.find(':')) : "",
                                       finding.cell.problem.collective);
        if (finding.cell.problem.slack)
            name += fmt::format(" slack {}", *finding.cell.problem.slack);
        const std::string key = fmt::format("{} {} {}", name, *steps, finding.result.bound.steps);
        if (std::find(seen.begin(), seen.end(), key) != seen.end())
            continue;
        seen.push_back(key);
        plot.categories.push_back(name);
        printed.values.push_back(*steps);
        proven.values.push_back(finding.result.bound.steps);
    }
    plot.bars = {printed, proven};
    return plot.categories.empty() ? std::string() : draw(plot);
}

void write_results(const std::vector<Finding>& findings, const std::string& folder)
{
    std::filesystem::create_directories(folder);
    const std::filesystem::path path(folder);
    write_file_atomically(path / "lower_bounds.csv", csv_of(full_table(findings)));
    write_file_atomically(path / "verdicts.csv", csv_of(verdict_table(findings)));
    if (const std::string svg = picture(findings); !svg.empty())
        write_file_atomically(path / "lower_bounds.svg", svg);
    fmt::print("\nIn {}/: lower_bounds.csv verdicts.csv lower_bounds.svg\n", folder);
}

/// Are these the verdicts of the expected file, or lines of it if only some cells were examined?
bool agrees(const std::string& verdicts, const Configuration& configuration)
{
    return configuration.only.empty() ? verdicts == read_file(configuration.expected)
                                      : testbench::has_lines(configuration.expected, verdicts);
}

/// A line for each cell that is not closed, proven and replayed, and for any difference from what came out
/// before.
std::vector<std::string> failures(const std::vector<Finding>& findings, const Configuration& configuration)
{
    std::vector<std::string> result;
    for (const Finding& finding : findings) {
        const auto fail = [&](const std::string& what) {
            result.push_back(fmt::format("{} on {} {}: {}", finding.cell.problem.collective, finding.network,
                                         finding.participants, what));
        };
        if (!finding.result.is_optimal())
            fail(fmt::format("not closed, at least {} steps", finding.result.bound.steps));
        if (needs_longer_paths(finding) && !finding.minimal->is_optimal())
            fail(fmt::format("not closed over minimal paths, {} steps", minimal_steps(*finding.minimal)));
        if (finding.refutation)
            fail(fmt::format("the bound of {} is not proven: {}", finding.result.bound.steps,
                             *finding.refutation));
        if (finding.result.schedule && !finding.simulated_ns)
            fail("the replay was blocked or wrong");
    }
    if (!configuration.expected.empty() && !agrees(csv_of(verdict_table(findings)), configuration))
        result.push_back(fmt::format("the verdicts differ from {}", configuration.expected));
    return result;
}

int run(const Configuration& configuration)
{
    std::vector<Cell> cells = lower_bounds::read_cells(configuration.cells);
    std::erase_if(cells, [&](const Cell& cell) {
        return cell.problem.topology.find(configuration.only) == std::string::npos;
    });
    testbench::require_chosen(cells.size(), configuration.only, configuration.cells);
    std::vector<Finding> findings;
    {
        ProgressLine progress("lower bounds");
        for (const Cell& cell : cells) {
            findings.push_back(examine(cell, configuration));
            progress.update(findings.size(), cells.size());
            if (findings.back().result.signal != 0)
                throw Interrupted(findings.back().result.signal);
        }
    }
    print_text(std::cout, short_table(findings));
    print_text(std::cout, summary(findings));
    double seconds = 0;
    double longest_small = 0;
    for (const Finding& finding : findings) {
        seconds += finding.result.seconds;
        if (finding.processors <= 16)
            longest_small = std::max(longest_small, finding.result.seconds);
    }
    fmt::print("{} cells, {:.1f} s of search; the longest with up to 16 processors {:.2f} s\n",
               findings.size(), seconds, longest_small);
    std::fflush(stdout);
    if (!configuration.output.empty())
        write_results(findings, configuration.output);
    const std::vector<std::string> failed = failures(findings, configuration);
    return testbench::status_of("lower_bounds", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("cells", po::value(&configuration.cells), "CSV file with the cells")(
        "only", po::value(&configuration.only), "cells whose network has this in its name")(
        "budget", po::value(&configuration.budget_seconds)->default_value(60), "seconds for a cell, at most")(
        "bytes", po::value(&configuration.message_bytes)->default_value(1024),
        "message size of the replays")("seed", po::value(&configuration.seed)->default_value(1), "seed")(
        "workers", po::value(&configuration.workers)->default_value(0), "processes; 0: one for each core")(
        "expected", po::value(&configuration.expected), "verdicts that must come out")(
        "output", po::value(&configuration.output), "folder for tables and the picture");
    return nocturne::testbench::run(argc, argv, "lower_bounds", options, [&] {
        if (configuration.cells.empty())
            throw std::invalid_argument("--cells is missing");
        return run(configuration);
    });
}
