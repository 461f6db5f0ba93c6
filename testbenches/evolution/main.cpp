// The papers' evolutionary engines on the papers' tables, what their heuristics are worth, and how they
// converge; README.md says what is claimed and what came out.
#include "models/topology/files.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/report/plot.hpp"
#include "sim/report/progress.hpp"
#include "testbenches/evolution/ablation.hpp"
#include "testbenches/evolution/as_printed.hpp"
#include "testbenches/evolution/success.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

namespace {

using namespace nocturne;
using evolution::AsPrinted;
using evolution::Finding;
using evolution::PrintedCell;

constexpr const char* as_printed_file = "as_printed.csv";

struct Configuration {
    std::string cells;
    std::string ablation;
    std::string only;
    std::size_t most_processors = 0;
    double budget_seconds = 0;
    evolution::Limits limits;
    std::string variant; ///< `ours`, `as-printed` or `both`
    std::string expected;
    std::string expected_as_printed;
    std::string output;

    bool has_ours() const { return variant != "as-printed"; }
    bool has_as_printed() const { return variant != "ours"; }
};

std::string title_of(const Finding& finding)
{
    return fmt::format("{} on {} in {} steps: {}", finding.cell.problem.collective,
                       finding.cell.problem.topology, finding.cell.printed_steps, finding.cell.engine);
}

/// How the evaluations grow with the number of processors of a hypercube: the papers' figures 9 and 10.
std::string growth_picture(const std::vector<Finding>& findings)
{
    std::map<std::string, Curve> curves;
    for (const Finding& finding : findings) {
        const SuccessRate rate = success_rate(finding.at_printed);
        if (!finding.cell.problem.topology.starts_with("hypercube") || rate.successes == 0)
            continue;
        Curve& curve = curves[fmt::format("{} {}", finding.cell.problem.collective, finding.cell.engine)];
        curve.points.emplace_back(static_cast<double>(finding.processors), std::max(1.0, rate.evaluations));
    }
    LinePlot plot{"Hypercubes at the printed steps: mean evaluations of the successful runs",
                  {"processors", Scale::log2, {}, {}},
                  {"evaluations", Scale::log10, {}, {}},
                  {}};
    for (auto& [name, curve] : curves) {
        curve.label = name;
        plot.curves.push_back(std::move(curve));
    }
    return plot.curves.empty() ? std::string() : draw(plot);
}

/// `convergence_omega_8_AAS.svg`
std::string file_of(const PrintedCell& cell)
{
    std::string name = fmt::format("convergence_{}_{}", cell.problem.topology, cell.problem.collective);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == ','; }, '_');
    return name + ".svg";
}

bool is_same(const PrintedCell& a, const PrintedCell& b)
{
    return a.problem.topology == b.problem.topology && a.problem.collective == b.problem.collective &&
           a.engine == b.engine && a.printed_steps == b.printed_steps;
}

void write_results(const Configuration& configuration, const std::vector<Finding>& findings,
                   const std::vector<PrintedCell>& ablated, const Table& ablation)
{
    const std::filesystem::path folder(configuration.output);
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "success.csv", csv_of(success_table(findings)));
    write_file_atomically(folder / "costs.csv", csv_of(cost_table(findings)));
    if (!ablation.rows.empty())
        write_file_atomically(folder / "ablation.csv", csv_of(ablation));
    if (const std::string svg = growth_picture(findings); !svg.empty())
        write_file_atomically(folder / "evaluations.svg", svg);
    for (const PrintedCell& cell : ablated)
        for (const Finding& finding : findings)
            if (is_same(cell, finding.cell) && !finding.at_printed.empty()) {
                write_file_atomically(folder / file_of(cell),
                                      convergence_picture(finding.at_printed, title_of(finding)));
                break;
            }
    fmt::print("\nTables and pictures are in {}/\n", configuration.output);
}

std::vector<PrintedCell> chosen_cells(const std::string& path, const Configuration& configuration)
{
    std::vector<PrintedCell> cells = path.empty() ? std::vector<PrintedCell>{} : evolution::read_cells(path);
    std::erase_if(cells, [&](const PrintedCell& cell) {
        return cell.problem.topology.find(configuration.only) == std::string::npos ||
               make_problem(cell.problem).topology.processor_count() > configuration.most_processors;
    });
    return cells;
}

/// The algorithms as printed on the cells that the output folder has no result of yet; each is written as
/// soon as it is known, so that it can be stopped and gone on with. Returns the results of these cells, old
/// and new.
std::vector<AsPrinted> run_as_printed_cells(const Configuration& configuration,
                                            const std::vector<PrintedCell>& cells)
{
    const std::filesystem::path folder(configuration.output);
    std::vector<AsPrinted> results;
    if (!configuration.output.empty())
        results = evolution::read_as_printed(folder / as_printed_file);
    ProgressLine progress("evolution as printed");
    std::vector<AsPrinted> of_cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const PrintedCell& cell = cells[i];
        if (cell.as_printed_evaluations == 0U)
            continue;
        const auto known = std::find_if(results.begin(), results.end(), [&](const AsPrinted& result) {
            return is_result_of(result, cell, configuration.limits);
        });
        if (known != results.end()) {
            of_cells.push_back(*known);
            continue;
        }
        results.push_back(run_as_printed(cell, configuration.limits));
        of_cells.push_back(results.back());
        if (!configuration.output.empty()) {
            std::filesystem::create_directories(folder);
            write_file_atomically(folder / as_printed_file, csv_of(as_printed_table(results)));
        }
        progress.update(i + 1, cells.size());
    }
    return of_cells;
}

std::vector<Finding> run_ours(const Configuration& configuration, const std::vector<PrintedCell>& cells)
{
    std::vector<Finding> findings;
    ProgressLine progress("evolution");
    for (const PrintedCell& cell : cells) {
        findings.push_back(examine(cell, configuration.limits));
        // It takes a while: each cell is there to read as soon as it is known.
        fmt::print("{}\n", summary(findings.back()));
        std::fflush(stdout);
        progress.update(findings.size(), cells.size());
    }
    return findings;
}

/// `ours, reached: 66 cells`: the verdicts and how often they were given.
template <class Results>
void print_verdicts(const char* variant, const Results& results)
{
    std::map<std::string, int> verdicts;
    for (const auto& result : results) {
        const std::string text = verdict(result);
        ++verdicts[text.substr(0, text.find(" ("))];
    }
    for (const auto& [text, number] : verdicts)
        fmt::print("{}, {}: {} cells\n", variant, text, number);
}

std::vector<std::string> failures(const Configuration& configuration, const std::vector<Finding>& findings,
                                  const std::vector<AsPrinted>& printed)
{
    std::vector<std::string> failed;
    if (!configuration.expected_as_printed.empty())
        failed =
            evolution::differences(printed, evolution::read_as_printed(configuration.expected_as_printed));
    if (!configuration.expected.empty() &&
        !testbench::has_lines(configuration.expected, csv_of(success_table(findings))))
        failed.push_back(fmt::format("the success rates differ from {}", configuration.expected));
    return failed;
}

int run(const Configuration& configuration)
{
    const std::vector<PrintedCell> cells = chosen_cells(configuration.cells, configuration);
    testbench::require_chosen(cells.size(), configuration.only, configuration.cells);
    const std::vector<PrintedCell> ablated = chosen_cells(configuration.ablation, configuration);
    std::vector<Finding> findings;
    std::vector<AsPrinted> printed;
    Table ablation;
    if (configuration.has_as_printed())
        printed = run_as_printed_cells(configuration, cells);
    if (configuration.has_ours()) {
        findings = run_ours(configuration, cells);
        ablation = ablation_table(evolution::ablate(ablated, configuration.limits));
    }
    if (!findings.empty())
        print_text(std::cout, fold_constant_columns(cost_table(findings)));
    if (!ablation.rows.empty())
        print_text(std::cout, ablation);
    if (!printed.empty())
        print_text(std::cout, fold_constant_columns(as_printed_table(printed)));
    std::cout.flush();
    print_verdicts("ours", findings);
    print_verdicts("as printed", printed);
    std::fflush(stdout);
    if (!configuration.output.empty() && configuration.has_ours())
        write_results(configuration, findings, ablated, ablation);
    return testbench::status_of("evolution", failures(configuration, findings, printed));
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    evolution::Limits& limits = configuration.limits;
    po::options_description options;
    options.add_options()("cells", po::value(&configuration.cells), "CSV file with the papers' figures")(
        "ablation", po::value(&configuration.ablation), "CSV file with the cells to leave heuristics out on")(
        "only", po::value(&configuration.only), "cells whose network has this in its name")(
        "most-processors", po::value(&configuration.most_processors)->default_value(16),
        "cells with more are left out")("runs", po::value(&limits.runs)->default_value(10),
                                        "runs of a cell, each with its own seed")(
        "evaluations", po::value(&limits.evaluations)->default_value(1'000'000),
        "fitness evaluations of a run of MBOA or HGSA, at most")(
        "generations", po::value(&limits.generations)->default_value(33'333),
        "generations of a run of UMDA, at most")(
        "optimum-evaluations", po::value(&limits.optimum_evaluations)->default_value(300'000),
        "the same at fewer steps than printed")("optimum-generations",
                                                po::value(&limits.optimum_generations)->default_value(10'000),
                                                "the same at fewer steps than printed")(
        "as-printed-evaluations", po::value(&limits.as_printed_evaluations)->default_value(10'000'000),
        "fitness evaluations of a run of an algorithm as printed, at most")(
        "variant", po::value(&configuration.variant)->default_value("both"), "ours, as-printed or both")(
        "budget", po::value(&configuration.budget_seconds)->default_value(3600),
        "seconds for a run, at most")("seed", po::value(&limits.seed)->default_value(1), "of the first run")(
        "workers", po::value(&limits.workers)->default_value(0), "processes; 0: one for each core")(
        "expected", po::value(&configuration.expected), "success rates that must come out")(
        "expected-as-printed", po::value(&configuration.expected_as_printed),
        "results of the algorithms as printed that must come out where a cell has the same budget")(
        "output", po::value(&configuration.output),
        "folder for tables and pictures; results of the algorithms as printed that are there already stay, "
        "cells "
        "that are not are added");
    return nocturne::testbench::run(argc, argv, "evolution", options, [&] {
        if (configuration.cells.empty())
            throw std::invalid_argument("--cells is missing");
        if (configuration.variant != "ours" && configuration.variant != "as-printed" &&
            configuration.variant != "both")
            throw std::invalid_argument(
                fmt::format("--variant {}: ours, as-printed or both", configuration.variant));
        limits.budget =
            std::chrono::milliseconds(static_cast<std::int64_t>(configuration.budget_seconds * 1000));
        return run(configuration);
    });
}
