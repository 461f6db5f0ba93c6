// The figures of the paper's tables, and what they are for a network.
#pragma once

#include "models/measures/graph.hpp"
#include "models/topology/topology.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne::topology_design {

/// A figure as printed.
struct PrintedFigure {
    std::string table;   ///< `1` to `8`, or where else it stands
    std::string network; ///< a specification, or the name of a design
    std::string figure;  ///< `average latency`: terms as `nocturne design` names them, and others
    std::string layout;  ///< `backplane 3`: where nodes stand, and the longest wire; of `fits` only
    std::string printed; ///< `16.00`, `inf`, `yes`
};

/// From rows with the columns table, network, figure, layout, printed. Throws std::exception for a figure
/// that does not exist, or a value that is none.
std::vector<PrintedFigure> printed_figures(const nlohmann::json& rows);

/// The network as the measures are to read it: the links of a grid dimension by dimension, the order in which
/// ties between shortest paths fall as in print.
measures::Graph printed_order(const Topology& topology);

/// A printed figure beside what was measured.
struct FigureComparison {
    PrintedFigure printed;
    std::string by; ///< `measured` for a network with a name; the engine that has designed the others
    double value = 0;
    /// `as printed`, to the last printed digit, or `differs`; of designs `reached`, also where they are
    /// better, or `not reached`
    std::string verdict;
};

FigureComparison compare(const PrintedFigure& printed, const measures::Graph& graph, const std::string& by);

/// Is the value at least as good as printed, to the last printed digit?
bool reaches(const PrintedFigure& printed, double value);

/// `2.8345`, `7`, `inf` or `yes`, as the figure has it.
std::string text_of(const std::string& figure, double value);

/// A line for each comparison.
Table comparison_table(std::span<const FigureComparison> comparisons);

/// One of the paper's tables: for each network a row as printed, and a row for each one that was measured.
Table paper_table(const std::string& table, std::span<const FigureComparison> comparisons);

/// The tables that there are, in order of their first figures.
std::vector<std::string> tables_of(std::span<const FigureComparison> comparisons);

/// How often each verdict was given, by whom.
Table verdict_table(std::span<const FigureComparison> comparisons);

} // namespace nocturne::topology_design
