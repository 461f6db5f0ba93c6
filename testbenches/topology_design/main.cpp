// Designed networks beside the tables of Marden's paper and beside conceptual networks; README.md says what
// is claimed and what came out.
#include "models/topology/make_topology.hpp"
#include "sim/report/progress.hpp"
#include "testbenches/driver/measured.hpp"
#include "testbenches/topology_design/codesign.hpp"
#include "testbenches/topology_design/designs.hpp"
#include "testbenches/topology_design/figures.hpp"
#include "testbenches/topology_design/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace {

using namespace nocturne;
using namespace nocturne::topology_design;

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

/// Throws std::invalid_argument if there is none.
const Designed& design_called(const std::vector<Designed>& designs, const std::string& name)
{
    const auto found = std::ranges::find(designs, name, [](const Designed& each) { return each.cell.name; });
    if (found == designs.end())
        throw std::invalid_argument(fmt::format("{}: no such design", name));
    return *found;
}

testbench::Measured measure(const nlohmann::json& settings)
{
    const std::vector<PrintedFigure> figures = printed_figures(settings.at("cells"));
    const std::uint64_t seed = settings.at("seed");
    const unsigned workers = settings.at("workers");
    ProgressLine line("topology_design");
    const auto tell = [&](const std::string& what) { line.show_text("topology_design: " + what); };
    const std::vector<Designed> designs =
        run_designs(design_cells(settings.at("designs")), {seed, workers, tell});
    const std::vector<Codesign> codesigns =
        run_codesigns(codesign_cells(settings.at("codesigns")), {seed, workers, settings.at("bytes"), tell});
    const std::vector<FigureComparison> comparisons = compare_all(figures, designs);
    testbench::Measured measured;
    for (const std::string& table : tables_of(comparisons))
        measured.tables.emplace_back("table_" + table, paper_table(table, comparisons));
    measured.tables.insert(measured.tables.end(), {{"verdicts", verdict_table(comparisons)},
                                                   {"designs", design_table(designs, figures)},
                                                   {"scatter_steps", codesign_table(codesigns)},
                                                   {"figures", comparison_table(comparisons)},
                                                   {"scatter_verdicts", codesign_verdicts(codesigns)}});
    for (const std::string name : settings.at("draw"))
        measured.files.emplace_back(name + ".svg", network_picture(design_called(designs, name)));
    if (const std::string name = settings.at("draw_costs"); !name.empty())
        measured.tables.emplace_back("generations", cost_table(design_called(designs, name)));
    if (const std::string name = settings.at("draw_ages"); !name.empty())
        measured.tables.emplace_back("ages", age_table(design_called(designs, name)));
    if (const std::string prefix = settings.at("draw_wires"); !prefix.empty())
        measured.tables.emplace_back("wires", wire_table(designs, prefix));
    return measured;
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "topology_design", measure);
}
