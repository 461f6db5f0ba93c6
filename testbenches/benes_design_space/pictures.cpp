#include "testbenches/benes_design_space/pictures.hpp"

#include "sim/report/plot.hpp"
#include "testbenches/benes_design_space/claims.hpp"

#include <fmt/format.h>

namespace nocturne::benes_design_space {
namespace {

/// The curve with this label, made if there is none.
Curve& curve_of(LinePlot& plot, const std::string& label)
{
    for (Curve& curve : plot.curves)
        if (curve.label == label)
            return curve;
    plot.curves.push_back({label, {}});
    return plot.curves.back();
}

LinePlot map_plot(const std::string& what)
{
    return {fmt::format("{} of the fastest design ({})", what, readings().front().name),
            {"message (bits)", Scale::log2},
            {what, Scale::linear, 0.0},
            {}};
}

/// Adds a point for each cell under the first reading, with random arbitration.
void add_cells(LinePlot& plot, std::span<const MapCell> cells, std::uint32_t Choice::*value)
{
    for (const MapCell& cell : cells)
        if (cell.reading == readings().front().name && (cell.traffic == "random" || cell.traffic == "worst"))
            curve_of(plot, fmt::format("N = {}, {}", cell.processors, cell.traffic))
                .points.emplace_back(cell.message_bits, cell.best.*value);
}

} // namespace

std::string switch_size_picture(std::span<const MapCell> cells)
{
    LinePlot plot = map_plot("switch size q");
    plot.y = {"switch size q", Scale::log2};
    add_cells(plot, cells, &Choice::switch_size);
    return draw(plot);
}

std::string columns_picture(std::span<const MapCell> cells)
{
    LinePlot plot = map_plot("randomizing columns");
    add_cells(plot, cells, &Choice::randomizing_columns);
    return draw(plot);
}

std::string design_picture(const std::string& title, std::span<const BenesPoint> points,
                           std::uint64_t message_bits)
{
    LinePlot plot{
        title,
        {"randomizing columns, n - 1 - r"},
        {fmt::format("mean latency of a permutation, {} bits (clocks)", message_bits), Scale::log10},
        {}};
    for (const BenesPoint& point : points)
        if (point.randomization == "multiple")
            curve_of(plot, fmt::format("q = {}, n = {}", point.switch_size, point.digits))
                .points.emplace_back(randomizing_columns(point),
                                     latency(point, readings().front(), message_bits).clocks);
    return draw(plot);
}

std::string share_picture(std::span<const BenesPoint> clos, std::uint32_t limit)
{
    LinePlot plot{fmt::format("Random permutations over B(q,2) within {} network cycles", limit),
                  {"switch size q"},
                  {"share of permutations"},
                  {}};
    Curve bound{"single: cannot exceed", {}, Stroke::model};
    for (const BenesPoint& point : clos) {
        if (point.permutations != "random")
            continue;
        curve_of(plot, point.randomization).points.emplace_back(point.switch_size, point.share_within_limit);
        if (point.randomization == "single")
            bound.points.emplace_back(point.switch_size, most_share_within(point.switch_size, limit));
    }
    plot.curves.push_back(std::move(bound));
    return draw(plot);
}

} // namespace nocturne::benes_design_space
