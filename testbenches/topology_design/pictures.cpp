#include "testbenches/topology_design/pictures.hpp"

#include "models/measures/latency.hpp"
#include "models/measures/moore_bound.hpp"
#include "models/measures/wires.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/make_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nocturne::topology_design {
namespace {

/// A picture's points.
Table points(std::string x, std::string y)
{
    return {"", {{"curve", "", Align::left}, {std::move(x), ""}, {std::move(y), ""}}, {}};
}

/// Total wire and average latency of a network whose nodes stand on the grid.
std::pair<double, double> wire_and_latency(const measures::Graph& graph, std::span<const Position> places)
{
    return {measures::wire_lengths(graph, places).total, measures::hop_latency(graph).average_with_self};
}

} // namespace

std::string network_picture(const Designed& designed)
{
    const auto& terms = designed.design.terms;
    std::string title = fmt::format("{} by {}", designed.cell.name, designed.engine);
    for (const design::Term& term : terms)
        title += fmt::format(", {} {:.4g}", term.name, term.value);
    return draw_topology(designed.topology(), "svg", {.title = title});
}

Table cost_table(const Designed& designed)
{
    Table table = points("generation", "relative cost");
    const design::GappinGeneration& first = designed.history.front();
    for (const design::GappinGeneration& each : designed.history) {
        const std::uint64_t number = each.number;
        table.add_row(
            {std::string("cost of the median"), number, Real{each.median_cost / first.median_cost, 3}});
        table.add_row({std::string("cost of the best"), number, Real{each.best_cost / first.median_cost, 3}});
        for (std::size_t i = 0; i < first.median_terms.size(); ++i)
            table.add_row({first.median_terms[i].name, number,
                           Real{each.median_terms[i].value / first.median_terms[i].value, 3}});
    }
    return table;
}

Table age_table(const Designed& designed)
{
    Table table = points("generation", "age");
    for (const design::GappinGeneration& each : designed.history) {
        table.add_row(
            {std::string("oldest survivor"), std::uint64_t{each.number}, std::uint64_t{each.maximum_age}});
        table.add_row(
            {std::string("mean of the survivors"), std::uint64_t{each.number}, Real{each.mean_age, 1}});
    }
    return table;
}

Table wire_table(std::span<const Designed> designs, const std::string& prefix)
{
    Table table = points("wires", "latency");
    const auto add = [&](const std::string& label, double wires, double latency) {
        table.add_row({label, Real{wires, 0}, Real{latency, 4}});
    };
    for (const char* const engine : {"exchange", "gappin"}) {
        std::vector<std::pair<double, double>> of_engine;
        for (const Designed& each : designs)
            if (each.engine == engine && each.cell.name.starts_with(prefix))
                of_engine.push_back(
                    wire_and_latency(measures::graph_of(each.topology()), each.cell.request.positions));
        std::ranges::sort(of_engine);
        for (const auto& [wires, latency] : of_engine)
            add(engine, wires, latency);
    }
    const auto bound = measures::moore_bound(64, 4).average_with_self;
    for (const double wires : {110.0, 550.0})
        add("Moore's bound", wires, bound);
    const std::vector<Position> grid = measures::arrange(measures::Arrangement::grid, 64);
    for (const char* const network : {"torus:8x8", "mesh:8x8"}) {
        const auto [wires, latency] = wire_and_latency(measures::graph_of(make_topology(network)), grid);
        add(network, wires, latency);
    }
    return table;
}

} // namespace nocturne::topology_design
