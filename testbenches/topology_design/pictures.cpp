#include "testbenches/topology_design/pictures.hpp"

#include "models/measures/latency.hpp"
#include "models/measures/moore_bound.hpp"
#include "models/measures/wires.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nocturne::topology_design {
namespace {

std::string title_of(const Designed& designed)
{
    return fmt::format("{} nodes with {} links, population {}", designed.cell.request.nodes,
                       designed.cell.request.degree(0), designed.cell.gappin.population);
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

std::string cost_picture(const Designed& designed)
{
    LinePlot plot{"GAPPIN: " + title_of(designed),
                  {"generation", Scale::linear, {}, {}},
                  {"relative to the median of the first generation", Scale::linear, {}, {}},
                  {}};
    const auto add = [&](const std::string& label, const auto& value, double first) {
        Curve curve{label, {}};
        for (const design::GappinGeneration& each : designed.history)
            curve.points.emplace_back(each.number, value(each) / first);
        plot.curves.push_back(std::move(curve));
    };
    using Generation = design::GappinGeneration;
    const Generation& first = designed.history.front();
    add(
        "cost of the median", [](const Generation& each) { return each.median_cost; }, first.median_cost);
    add(
        "cost of the best", [](const Generation& each) { return each.best_cost; }, first.median_cost);
    for (std::size_t i = 0; i < first.median_terms.size(); ++i)
        add(
            first.median_terms[i].name, [i](const Generation& each) { return each.median_terms[i].value; },
            first.median_terms[i].value);
    return draw(plot);
}

std::string age_picture(const Designed& designed)
{
    Curve maximum{"oldest survivor", {}};
    Curve mean{"mean of the survivors", {}};
    for (const design::GappinGeneration& each : designed.history) {
        maximum.points.emplace_back(each.number, each.maximum_age);
        mean.points.emplace_back(each.number, each.mean_age);
    }
    return draw(LinePlot{"Ages in GAPPIN: " + title_of(designed),
                         {"generation", Scale::linear, {}, {}},
                         {"age (generations)", Scale::linear, {}, {}},
                         {std::move(maximum), std::move(mean)}});
}

std::string wire_picture(std::span<const Designed> designs, const std::string& prefix)
{
    LinePlot plot{"64 nodes with 4 links on an 8x8 grid",
                  {"length of all wires (distance of neighbours on the grid)", Scale::log10, {}, {}},
                  {"average latency (hops, self included)", Scale::linear, {}, {}},
                  {}};
    for (const char* const engine : {"exchange", "gappin"}) {
        Curve curve{engine, {}};
        for (const Designed& each : designs)
            if (each.engine == engine && each.cell.name.starts_with(prefix))
                curve.points.push_back(
                    wire_and_latency(measures::graph_of(each.topology()), each.cell.request.positions));
        std::ranges::sort(curve.points);
        plot.curves.push_back(std::move(curve));
    }
    const auto bound = measures::moore_bound(64, 4).average_with_self;
    plot.curves.push_back({"Moore's bound", {{110, bound}, {550, bound}}, Stroke::model});
    const std::vector<Position> grid = measures::arrange(measures::Arrangement::grid, 64);
    for (const char* const network : {"torus:8x8", "mesh:8x8"})
        plot.curves.push_back(
            {network, {wire_and_latency(measures::graph_of(make_topology(network)), grid)}});
    return draw(plot);
}

} // namespace nocturne::topology_design
