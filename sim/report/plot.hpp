// Pictures as SVG text, drawn by gnuplot: curves, boxes over time, and heat. Colours are Okabe and Ito's,
// which people with any colour vision can tell apart (https://jfly.uni-koeln.de/color), in one list of
// gnuplot_script.cpp; more curves have other marks and dashes too, more areas the shades of viridis.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {

/// log2 is for sizes in bytes: its ticks are powers of two, written 512, 1 Ki, 2 Ki.
enum class Scale { linear, log2, log10 };

struct Axis {
    std::string label; ///< with its unit: `time (µs)`
    Scale scale = Scale::linear;
    std::optional<double> from = {}; ///< ends of the axis; from the data if not given
    std::optional<double> to = {};
};

/// Measured: a line with a mark at each point. Model: dashed, without marks.
enum class Stroke { measured, model };

struct Curve {
    std::string label;
    std::vector<std::pair<double, double>> points; ///< (x, y); those that are not finite, or not positive on
                                                   ///< a logarithmic axis, are left out
    Stroke stroke = Stroke::measured;
    std::optional<double> ends_at =
        {}; ///< the x from which on there is no value, as of a network past saturation: a dotted
            ///< line goes from the last point to the top of the picture there, to the curve's mark
};

/// Curves that coincide are both seen: the one below is drawn wider.
struct LinePlot {
    std::string title;
    Axis x;
    Axis y;
    std::vector<Curve> curves;
    std::string end_meaning = {}; ///< of Curve::ends_at, in the legend where there is one: `saturated`
};

struct GanttBox {
    std::size_t row;
    double begin;
    double end;
    std::size_t group;
    std::string label; ///< written into the box if there is room
};

/// Rows from top to bottom, boxes over time; boxes of one row that overlap in time share its height.
struct GanttPlot {
    std::string title;
    Axis x;
    std::string row_title;
    std::vector<std::string> rows;
    std::string group_title;         ///< `step`: what the colours stand for
    std::vector<std::string> groups; ///< a colour each
    std::vector<GanttBox> boxes;
};

/// Rows from top to bottom, equal columns along the x axis from its `from` to its `to`, each field coloured
/// by its value: from white for 0 to dark for the largest one, rounded up.
struct HeatPlot {
    std::string title;
    Axis x;
    std::string row_title;
    std::vector<std::string> rows;
    std::string value_title;
    std::vector<std::vector<double>> values; ///< by row and column, all rows as long
};

// Each returns the text of an SVG file. They throw std::invalid_argument if there is nothing to draw or an
// index or a length is wrong, and std::runtime_error if gnuplot fails or is not installed.

std::string draw(const LinePlot& plot);
std::string draw(const GanttPlot& plot);
std::string draw(const HeatPlot& plot);

} // namespace nocturne
