#include "testbenches/topology_design/figures.hpp"

#include "models/measures/bisection.hpp"
#include "models/measures/connectivity.hpp"
#include "models/measures/contention.hpp"
#include "models/measures/fault_latency.hpp"
#include "models/measures/latency.hpp"
#include "models/measures/path_spread.hpp"
#include "models/measures/wires.hpp"
#include "models/text/number.hpp"
#include "testbenches/driver/measured.hpp"
#include "testbenches/topology_design/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>

namespace nocturne::topology_design {
namespace {

using measures::Graph;

enum class Better { less, more };

struct FigureKind {
    std::string_view name;
    int digits; ///< behind the point
    Better better;
    double (*value)(const Graph&);
};

constexpr std::array figure_kinds{
    FigureKind{"average latency", 4, Better::less,
               [](const Graph& graph) { return measures::hop_latency(graph).average_with_self; }},
    FigureKind{"average without self", 4, Better::less,
               [](const Graph& graph) { return measures::hop_latency(graph).average; }},
    FigureKind{"maximum latency", 0, Better::less,
               [](const Graph& graph) { return measures::hop_latency(graph).maximum; }},
    FigureKind{"average latency under contention", 3, Better::less,
               [](const Graph& graph) { return measures::moderate_contention(graph).average_with_self; }},
    FigureKind{"maximum latency under contention", 0, Better::less,
               [](const Graph& graph) { return measures::moderate_contention(graph).maximum; }},
    FigureKind{"deviation of messages on links", 2, Better::less,
               [](const Graph& graph) { return measures::moderate_contention(graph).printed_deviation; }},
    FigureKind{"minimum connectivity", 0, Better::more,
               [](const Graph& graph) { return static_cast<double>(measures::smallest_degree(graph)); }},
    FigureKind{"deviation of paths through nodes", 2, Better::less,
               [](const Graph& graph) { return measures::path_spread(graph).node_deviation; }},
    FigureKind{"deviation of paths over links", 2, Better::less,
               [](const Graph& graph) { return measures::path_spread(graph).link_deviation; }},
    FigureKind{"average latency with random faults", 3, Better::less,
               [](const Graph& graph) { return measures::random_faults(graph).average_with_self; }},
    FigureKind{"maximum latency with random faults", 0, Better::less,
               [](const Graph& graph) { return measures::random_faults(graph).maximum; }},
    FigureKind{"average latency with a node fault", 3, Better::less,
               [](const Graph& graph) { return measures::single_node_faults(graph).average_with_self; }},
    FigureKind{"maximum latency with a node fault", 0, Better::less,
               [](const Graph& graph) { return measures::single_node_faults(graph).maximum; }},
    FigureKind{"bisection bandwidth", 0, Better::more,
               [](const Graph& graph) { return static_cast<double>(measures::bisection(graph).links); }},
};

constexpr std::string_view fits = "fits"; ///< the only figure that also asks for a layout

const FigureKind& kind_of(std::string_view figure)
{
    const auto found = std::ranges::find(figure_kinds, figure, &FigureKind::name);
    if (found == figure_kinds.end())
        throw std::invalid_argument(fmt::format("no figure '{}'", figure));
    return *found;
}

double printed_value(const PrintedFigure& figure)
{
    if (figure.figure == fits) {
        if (figure.printed != "yes" && figure.printed != "no")
            throw std::invalid_argument(fmt::format("fits {}: yes or no", figure.printed));
        return figure.printed == "yes" ? 1 : 0;
    }
    if (figure.printed == "inf")
        return measures::infinite;
    const auto value = number_of<double>(figure.printed);
    if (!value)
        throw std::invalid_argument(fmt::format("'{}' is no number", figure.printed));
    return *value;
}

/// Half of the last digit.
double rounding(std::string_view printed)
{
    const std::size_t point = printed.find('.');
    const auto digits = point == std::string_view::npos ? 0 : static_cast<int>(printed.size() - point - 1);
    constexpr double binary = 1e-9;
    return 0.5 * std::pow(10.0, -digits) + binary;
}

/// `backplane 3`
struct Layout {
    measures::Arrangement arrangement;
    double longest;
};

Layout layout_of(std::string_view text)
{
    const std::size_t space = text.find(' ');
    const auto longest =
        space == std::string_view::npos ? std::optional<double>() : number_of<double>(text.substr(space + 1));
    if (!longest)
        throw std::invalid_argument(fmt::format("layout '{}': expected `backplane 3`", text));
    return {measures::parse_arrangement(text.substr(0, space)), *longest};
}

/// Trees have a node less than there are places.
bool fits_into(const Graph& graph, const Layout& layout)
{
    const auto places = measures::arrange(layout.arrangement, (graph.node_count() + 1) / 2 * 2);
    return can_be_placed(graph, places, layout.longest);
}

double measure(const PrintedFigure& printed, const Graph& graph)
{
    if (printed.figure == fits)
        return fits_into(graph, layout_of(printed.layout)) ? 1 : 0;
    return kind_of(printed.figure).value(graph);
}

bool is_as_printed(const PrintedFigure& printed, double value)
{
    const double wanted = printed_value(printed);
    return value == wanted || std::abs(value - wanted) <= rounding(printed.printed);
}

bool is_better(const PrintedFigure& printed, double value)
{
    if (printed.figure == fits)
        return false;
    const double wanted = printed_value(printed);
    return kind_of(printed.figure).better == Better::less ? value < wanted : value > wanted;
}

} // namespace

std::vector<PrintedFigure> printed_figures(const nlohmann::json& rows)
{
    using testbench::text_in;
    std::vector<PrintedFigure> figures;
    for (const nlohmann::json& row : rows) {
        PrintedFigure figure{text_in(row, "table"), text_in(row, "network"), text_in(row, "figure"),
                             text_in(row, "layout"), text_in(row, "printed")};
        if (figure.figure == fits)
            layout_of(figure.layout);
        else
            kind_of(figure.figure);
        printed_value(figure);
        figures.push_back(std::move(figure));
    }
    return figures;
}

Graph printed_order(const Topology& topology)
{
    Graph graph = measures::graph_of(topology);
    if (!topology.grid())
        return graph;
    const auto dimension_of = [&](const measures::Arc& arc) {
        const auto from = topology.coordinates(arc.source);
        const auto to = topology.coordinates(arc.target);
        return std::ranges::mismatch(from, to).in1 - from.begin();
    };
    std::vector<measures::Arc> links;
    for (const measures::ArcId link : measures::links_of(graph))
        links.push_back(graph.arc(link));
    std::ranges::stable_sort(links, {}, dimension_of);
    return measures::graph_of_links(graph.node_count(), links);
}

FigureComparison compare(const PrintedFigure& printed, const Graph& graph, const std::string& by)
{
    FigureComparison result{printed, by, measure(printed, graph), {}};
    if (by == "measured")
        result.verdict = is_as_printed(printed, result.value) ? "as printed" : "differs";
    else
        result.verdict = reaches(printed, result.value) ? "reached" : "not reached";
    return result;
}

bool reaches(const PrintedFigure& printed, double value)
{
    return is_as_printed(printed, value) || is_better(printed, value);
}

std::string text_of(const std::string& figure, double value)
{
    if (figure == fits)
        return value != 0 ? "yes" : "no";
    return std::isinf(value) ? "inf" : fmt::format("{:.{}f}", value, kind_of(figure).digits);
}

Table comparison_table(std::span<const FigureComparison> comparisons)
{
    Table table{"Figures",
                {{"table", "", Align::left},
                 {"network", "", Align::left},
                 {"figure", "", Align::left},
                 {"layout", "", Align::left},
                 {"printed", ""},
                 {"by", "", Align::left},
                 {"value", ""},
                 {"verdict", "", Align::left}},
                {}};
    for (const FigureComparison& each : comparisons) {
        const PrintedFigure& printed = each.printed;
        table.add_row({printed.table, printed.network, printed.figure, printed.layout, printed.printed,
                       each.by, text_of(printed.figure, each.value), each.verdict});
    }
    return table;
}

std::vector<std::string> tables_of(std::span<const FigureComparison> comparisons)
{
    std::vector<std::string> tables;
    for (const FigureComparison& each : comparisons)
        if (std::ranges::find(tables, each.printed.table) == tables.end())
            tables.push_back(each.printed.table);
    return tables;
}

namespace {

/// Of a figure in a table: `fits backplane 4`.
std::string column_of(const PrintedFigure& printed)
{
    return printed.layout.empty() ? printed.figure : fmt::format("{} {}", printed.figure, printed.layout);
}

/// A row of one of the paper's tables.
struct PaperRow {
    std::string network;
    std::string by;
    std::map<std::string, std::string> cells; ///< by column
    std::string missed;                       ///< columns that differ, or are not reached
};

PaperRow& row_of(std::vector<PaperRow>& rows, const std::string& network, const std::string& by)
{
    const auto found = std::ranges::find_if(
        rows, [&](const PaperRow& row) { return row.network == network && row.by == by; });
    if (found != rows.end())
        return *found;
    rows.push_back({network, by, {}, {}});
    return rows.back();
}

std::string verdict_of(const PaperRow& row)
{
    if (row.by == "print")
        return "";
    const bool is_measured = row.by == "measured";
    if (row.missed.empty())
        return is_measured ? "as printed" : "reached";
    return (is_measured ? "differs: " : "not reached: ") + row.missed;
}

} // namespace

Table paper_table(const std::string& table, std::span<const FigureComparison> comparisons)
{
    std::vector<std::string> columns;
    std::vector<PaperRow> rows;
    for (const FigureComparison& each : comparisons) {
        const PrintedFigure& printed = each.printed;
        if (printed.table != table)
            continue;
        const std::string column = column_of(printed);
        if (std::ranges::find(columns, column) == columns.end())
            columns.push_back(column);
        row_of(rows, printed.network, "print").cells[column] = printed.printed;
        PaperRow& row = row_of(rows, printed.network, each.by);
        row.cells[column] = text_of(printed.figure, each.value);
        if (each.verdict == "differs" || each.verdict == "not reached")
            row.missed += (row.missed.empty() ? "" : ", ") + column;
    }
    Table result{number_of<unsigned>(table) ? fmt::format("Table {}", table) : table,
                 {{"network", "", Align::left}, {"figures", "", Align::left}},
                 {}};
    for (const std::string& column : columns)
        result.columns.push_back({column, ""});
    result.columns.push_back({"verdict", "", Align::left});
    for (const PaperRow& row : rows) {
        std::vector<Cell> cells{row.by == "print" ? row.network : std::string(), row.by};
        for (const std::string& column : columns)
            cells.push_back(row.cells.contains(column) ? Cell(row.cells.at(column)) : Cell());
        cells.emplace_back(verdict_of(row));
        result.add_row(std::move(cells));
    }
    return result;
}

Table verdict_table(std::span<const FigureComparison> comparisons)
{
    std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
    for (const FigureComparison& each : comparisons)
        ++counts[{each.by, each.verdict}];
    Table table{"Verdicts", {{"figures", "", Align::left}, {"verdict", "", Align::left}, {"number", ""}}, {}};
    for (const auto& [of, count] : counts)
        table.add_row({of.first, of.second, count});
    return table;
}

} // namespace nocturne::topology_design
