// Designed networks beside the tables of Marden's paper and beside conceptual networks; README.md says what
// is claimed and what came out.
#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/table.hpp"
#include "testbenches/testbench.hpp"
#include "testbenches/topology_design/codesign.hpp"
#include "testbenches/topology_design/designs.hpp"
#include "testbenches/topology_design/figures.hpp"
#include "testbenches/topology_design/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>
#include <vector>

namespace {

using namespace nocturne;
using namespace nocturne::topology_design;

struct Configuration {
    std::string cells;
    std::string designs;
    std::string codesigns;
    std::vector<std::string> networks; ///< designs to draw
    std::string costs;                 ///< the design whose generations are drawn by their costs
    std::string ages;                  ///< and by the ages of their survivors
    std::string wires;                 ///< how the names of the designs begin that differ in their wires
    std::uint64_t message_bytes = 1024;
    std::uint64_t seed = 1;
    unsigned workers = 0;
    std::string expected;
    std::string expected_codesigns;
    std::string output;
};

/// Each figure for each network that it can be compared with.
std::vector<FigureComparison> compare_all(const std::vector<PrintedFigure>& figures,
                                          const std::vector<Designed>& designs)
{
    std::vector<FigureComparison> comparisons;
    for (const PrintedFigure& figure : figures) {
        if (figure.network.find(':') != std::string::npos) {
            comparisons.push_back(compare(figure, printed_order(make_topology(figure.network)), "measured"));
            continue;
        }
        const std::size_t before = comparisons.size();
        for (const Designed& each : designs)
            if (each.cell.name == figure.network)
                comparisons.push_back(compare(figure, measures::graph_of(each.topology()), each.engine));
        if (comparisons.size() == before)
            throw std::invalid_argument(fmt::format("{}: no such design", figure.network));
    }
    return comparisons;
}

using testbench::Files;

/// Throws std::invalid_argument if there is none.
const Designed& design_called(const std::vector<Designed>& designs, const std::string& name)
{
    const auto found = std::ranges::find(designs, name, [](const Designed& each) { return each.cell.name; });
    if (found == designs.end())
        throw std::invalid_argument(fmt::format("{}: no such design", name));
    return *found;
}

void add_pictures(Files& files, const std::vector<Designed>& designs, const Configuration& configuration)
{
    for (const std::string& name : configuration.networks)
        files.emplace_back(testbench::file_name(name) + ".svg",
                           network_picture(design_called(designs, name)));
    if (!configuration.costs.empty())
        files.emplace_back("generations.svg", cost_picture(design_called(designs, configuration.costs)));
    if (!configuration.ages.empty())
        files.emplace_back("ages.svg", age_picture(design_called(designs, configuration.ages)));
    if (!configuration.wires.empty())
        files.emplace_back("wires.svg", wire_picture(designs, configuration.wires));
}

Files files_of(const std::vector<PrintedFigure>& figures, const std::vector<FigureComparison>& comparisons,
               const std::vector<Designed>& designs, const std::vector<Codesign>& codesigns)
{
    Files files{{"figures.csv", csv_of(comparison_table(comparisons))},
                {"designs.csv", csv_of(design_table(designs, figures))}};
    for (const std::string& table : tables_of(comparisons))
        files.emplace_back(fmt::format("table_{}.csv", testbench::file_name(table)),
                           csv_of(paper_table(table, comparisons)));
    if (!codesigns.empty()) {
        files.emplace_back("scatter_steps.csv", csv_of(codesign_table(codesigns)));
        files.emplace_back("scatter_verdicts.csv", csv_of(codesign_verdicts(codesigns)));
    }
    return files;
}

int run(const Configuration& configuration)
{
    const std::vector<PrintedFigure> figures = read_printed(configuration.cells);
    const std::vector<DesignCell> design_cells = read_designs(configuration.designs);
    const std::vector<CodesignCell> codesign_cells = configuration.codesigns.empty()
                                                         ? std::vector<CodesignCell>()
                                                         : read_codesigns(configuration.codesigns);
    std::vector<Designed> designs;
    std::vector<Codesign> codesigns;
    {
        ProgressLine line("topology_design");
        const auto tell = [&](const std::string& what) { line.show_text("topology_design: " + what); };
        designs = run_designs(design_cells, {configuration.seed, configuration.workers, tell});
        CodesignOptions options{configuration.seed, configuration.workers};
        options.message_bytes = configuration.message_bytes;
        options.on_progress = tell;
        codesigns = run_codesigns(codesign_cells, options);
    }
    const std::vector<FigureComparison> comparisons = compare_all(figures, designs);
    for (const std::string& table : tables_of(comparisons))
        print_text(std::cout, paper_table(table, comparisons));
    print_text(std::cout, verdict_table(comparisons));
    print_text(std::cout, design_table(designs, figures));
    if (!codesigns.empty())
        print_text(std::cout, codesign_table(codesigns));
    std::cout.flush();
    if (!configuration.output.empty()) {
        Files files = files_of(figures, comparisons, designs, codesigns);
        add_pictures(files, designs, configuration);
        testbench::write_files(configuration.output, files);
    }

    std::vector<std::string> failed;
    const auto require = [&](const std::string& file, const Table& found) {
        if (!file.empty() && read_file(file) != csv_of(found))
            failed.push_back(fmt::format("the results differ from {}", file));
    };
    require(configuration.expected, comparison_table(comparisons));
    require(configuration.expected_codesigns, codesign_verdicts(codesigns));
    return testbench::status_of("topology_design", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("cells", po::value(&configuration.cells)->required(),
                          "CSV file with the paper's figures")(
        "designs", po::value(&configuration.designs)->required(),
        "CSV file with the networks to design")("codesigns", po::value(&configuration.codesigns),
                                                "CSV file with the networks to design for their schedules")(
        "draw", po::value(&configuration.networks)->composing(), "a design to draw")(
        "draw-costs", po::value(&configuration.costs),
        "the design whose generations are drawn by their costs")("draw-ages", po::value(&configuration.ages),
                                                                 "and by the ages of their survivors")(
        "draw-wires", po::value(&configuration.wires),
        "how the names of the designs on a grid begin that are drawn by their wires")(
        "bytes", po::value(&configuration.message_bytes), "message size of the replays")(
        "seed", po::value(&configuration.seed), "seed")("workers", po::value(&configuration.workers),
                                                        "processes; 0: one for each core")(
        "expected", po::value(&configuration.expected), "figures that must come out")(
        "expected-codesigns", po::value(&configuration.expected_codesigns), "verdicts that must come out")(
        "output", po::value(&configuration.output), "folder for tables and pictures");
    return nocturne::testbench::run(argc, argv, "topology_design", options,
                                    [&] { return run(configuration); });
}
