// Measures beside those that are printed: the rows of printed.txt.
#include "models/measures/connectivity.hpp"
#include "models/measures/measures.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"
#include "tests/rows.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

namespace nocturne::printed_test {

using namespace measures;
using namespace test;

namespace {

/// The cells of a line; a comma between quotes is no separator.
std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (const char c : line) {
        if (c == '"')
            is_quoted = !is_quoted;
        else if (c == ',' && !is_quoted)
            cells.emplace_back();
        else if (c != '\r')
            cells.back() += c;
    }
    return cells;
}

/// A column of the one row of a table that has all of the keys among its first three cells.
double printed(const std::string& file, const std::vector<std::string>& keys, const std::string& column)
{
    std::ifstream in(std::string(PRINTED_TABLES) + "/gappin_" + file + ".csv");
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> names = cells_of(line);
    const auto place = static_cast<std::size_t>(std::ranges::find(names, column) - names.begin());
    if (place == names.size())
        throw std::invalid_argument(file + ": no column " + column);
    std::optional<double> value;
    while (std::getline(in, line)) {
        const std::vector<std::string> cells = cells_of(line);
        const auto is_there = [&](const std::string& key) {
            return std::find(cells.begin(), cells.begin() + 3, key) != cells.begin() + 3;
        };
        const bool fits = std::ranges::all_of(keys, is_there);
        if (!fits)
            continue;
        if (value)
            throw std::invalid_argument(file + ": several rows for " + column);
        value = std::stod(cells.at(place));
    }
    if (!value)
        throw std::invalid_argument(file + ": no row for " + column);
    return *value;
}

/// A torus whose links are listed dimension by dimension.
Graph torus_by_dimension(NodeId side)
{
    std::vector<Arc> links;
    for (NodeId node = 0; node < side * side; ++node)
        links.push_back({node, (node + side) % (side * side)});
    for (NodeId node = 0; node < side * side; ++node)
        links.push_back({node, node / side * side + (node + 1) % side});
    return graph_of_links(side * side, links);
}

const std::map<std::string, std::function<double(const Graph&)>> measured{
    {"average with self", [](const Graph& graph) { return hop_latency(graph).average_with_self; }},
    {"maximum", [](const Graph& graph) { return hop_latency(graph).maximum; }},
    {"bisection", [](const Graph& graph) { return double(bisection(graph).links); }},
    {"smallest degree", [](const Graph& graph) { return double(smallest_degree(graph)); }},
    {"contention with self", [](const Graph& graph) { return moderate_contention(graph).average_with_self; }},
    {"contention maximum", [](const Graph& graph) { return moderate_contention(graph).maximum; }},
    {"contention deviation", [](const Graph& graph) { return moderate_contention(graph).printed_deviation; }},
    {"fault with self", [](const Graph& graph) { return single_node_faults(graph).average_with_self; }},
    {"fault maximum", [](const Graph& graph) { return single_node_faults(graph).maximum; }},
    {"random faults", [](const Graph& graph) { return random_faults(graph).average; }},
    {"node spread", [](const Graph& graph) { return path_spread(graph).node_deviation; }},
    {"link spread", [](const Graph& graph) { return path_spread(graph).link_deviation; }},
};

} // namespace

TEST_CASE("measures are as printed, or so near", "[measures][print]")
{
    for (const Row& row : rows_of("models/measures/printed.txt")) {
        INFO(row.place);
        const std::string &network = row.cells.at(1), &how = row.cells.at(5);
        std::vector<std::string> keys(1);
        for (const char c : row.cells.at(3))
            if (c == ';')
                keys.emplace_back();
            else
                keys.back() += c;
        const Graph graph = network.starts_with("by dimension:")
                                ? torus_by_dimension(static_cast<NodeId>(network.back() - '0'))
                                : graph_from(network.c_str());
        const double value = measured.at(row.cells[0])(graph);
        const double expected = printed(row.cells.at(2), keys, row.cells.at(4));
        if (how == "=")
            CHECK(value == expected);
        else if (how == "<")
            CHECK(value < expected);
        else if (how.ends_with('%'))
            CHECK(value == Approx(expected).epsilon(std::stod(how) / 100));
        else
            CHECK(value == Approx(expected).margin(std::stod(how)));
    }
}

} // namespace nocturne::printed_test
