#include "sim/report/plot.hpp"

#include "sim/report/gnuplot.hpp"
#include "sim/report/gnuplot_script.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace nocturne {
namespace {

using gnuplot::say;
using Point = std::pair<double, double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr unsigned plot_width = 960;

bool fits(double value, Scale scale)
{
    return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

/// On a logarithmic axis gnuplot goes on to the next power of the base, or ends at the largest value; a
/// margin of a few percent shows more.
void tighten(Axis& axis, double least, double most)
{
    if (axis.scale == Scale::linear)
        return;
    axis.from = axis.from.value_or(least / 1.15);
    axis.to = axis.to.value_or(most * 1.15);
}

/// Where a value is on its axis, in units of it or its logarithm.
double place_of(double value, Scale scale)
{
    return scale == Scale::linear ? value : std::log(value);
}

/// A curve with what can be drawn of it, and how.
struct DrawnCurve {
    const Curve* curve;
    std::vector<Point> points;
    std::vector<Point> places; ///< of the points
    gnuplot::CurveLook look;
    /// Above 0 it is drawn wider, since a later curve of the level below coincides with it; at most 3.
    unsigned level = 0;
};

std::vector<Point> points_that_fit(const Curve& curve, const LinePlot& plot)
{
    std::vector<Point> points;
    std::copy_if(curve.points.begin(), curve.points.end(), std::back_inserter(points),
                 [&](const Point& point) {
                     return fits(point.first, plot.x.scale) && fits(point.second, plot.y.scale);
                 });
    return points;
}

/// Is half of `a`, two points or more, where `b` has points too, to a fraction of the picture?
bool coincide(const DrawnCurve& a, const DrawnCurve& b, const Point& extent)
{
    constexpr double to_the_eye = 1.0 / 300;
    const auto common = static_cast<std::size_t>(std::ranges::count_if(a.places, [&](const Point& point) {
        return std::ranges::any_of(b.places, [&](const Point& other) {
            return std::abs(point.first - other.first) <= extent.first * to_the_eye &&
                   std::abs(point.second - other.second) <= extent.second * to_the_eye;
        });
    }));
    return common >= std::min<std::size_t>(2, a.points.size()) && 2 * common >= a.points.size();
}

/// Least and most of all curves in x and y.
struct Extent {
    Point least{infinity, infinity};
    Point most{-infinity, -infinity};

    void include(const Point& point)
    {
        least = {std::min(least.first, point.first), std::min(least.second, point.second)};
        most = {std::max(most.first, point.first), std::max(most.second, point.second)};
    }
};

std::vector<DrawnCurve> curves_to_draw(const LinePlot& plot, Extent& extent)
{
    std::vector<DrawnCurve> drawn;
    Extent places;
    for (const Curve& curve : plot.curves) {
        DrawnCurve each{&curve, points_that_fit(curve, plot), {}, {"#000000", 0, "solid"}};
        for (const auto& [x, y] : each.points) {
            each.places.emplace_back(place_of(x, plot.x.scale), place_of(y, plot.y.scale));
            places.include(each.places.back());
        }
        if (!each.points.empty())
            drawn.push_back(std::move(each));
    }
    const auto is_measured = [](const DrawnCurve& each) { return each.curve->stroke == Stroke::measured; };
    std::size_t measured = 0;
    for (DrawnCurve& each : drawn) {
        for (const Point& point : each.points)
            extent.include(point);
        if (each.curve->ends_at && fits(*each.curve->ends_at, plot.x.scale))
            extent.include({*each.curve->ends_at, each.points.back().second});
        if (is_measured(each))
            each.look = gnuplot::curve_look(measured++);
    }
    const Point size{places.most.first - places.least.first, places.most.second - places.least.second};
    // From the last on: a curve is wider than the widest of those that would hide it.
    for (std::size_t i = drawn.size(); i-- > 0;)
        for (std::size_t later = i + 1; later < drawn.size(); ++later)
            if (is_measured(drawn[later]) && coincide(drawn[i], drawn[later], size))
                drawn[i].level = std::max(drawn[i].level, std::min(drawn[later].level + 1, 3U));
    return drawn;
}

std::string style_of(const DrawnCurve& drawn)
{
    if (drawn.curve->stroke == Stroke::model)
        return "lines linecolor rgb '#000000' linewidth 1.6 dashtype (8,5)";
    constexpr std::size_t most_marks = 16;
    return fmt::format("linespoints linecolor rgb '{}' linewidth {} dashtype {} pointtype {} pointsize "
                       "{:.2f} pointinterval {}",
                       drawn.look.colour, 2 + 3 * drawn.level, drawn.look.dashes, drawn.look.mark,
                       0.6 + 0.3 * drawn.level, (drawn.points.size() + most_marks - 1) / most_marks);
}

/// Of the curves that end: a dotted line up to the top of the picture, unless the curve has left it before,
/// and there the curve's mark; of those that end at the same x the marks are above each other. Returns how
/// many are.
unsigned draw_ends(std::string& script, const std::vector<DrawnCurve>& curves, const Axis& y)
{
    constexpr unsigned most_above = 6;
    std::map<double, unsigned> marks;
    unsigned highest = 0;
    for (const DrawnCurve& drawn : curves) {
        if (!drawn.curve->ends_at)
            continue;
        const double x = *drawn.curve->ends_at;
        if (drawn.points.back().second <= y.to.value_or(infinity))
            say(script,
                "set arrow from {},{} to {},graph 1 nohead linecolor rgb '{}' linewidth 2 dashtype (2,4)",
                drawn.points.back().first, drawn.points.back().second, x, drawn.look.colour);
        const unsigned above = std::min(marks[x]++, most_above - 1);
        highest = std::max(highest, above + 1);
        say(script, "set label '' at {},graph {:.3f} point pointtype {} pointsize 0.9 linecolor rgb '{}'", x,
            1.025 + 0.04 * above, drawn.look.mark, drawn.look.colour);
    }
    return highest;
}

} // namespace

std::string draw(const LinePlot& plot)
{
    Extent extent;
    const std::vector<DrawnCurve> curves = curves_to_draw(plot, extent);
    if (curves.empty())
        gnuplot::refuse(plot.title, "there is no point to draw");
    std::string data;
    std::string command;
    std::string ends;
    std::vector<std::string> labels;
    for (const DrawnCurve& drawn : curves) {
        std::string points;
        for (const auto& [x, y] : drawn.points)
            say(points, "{} {}", x, y);
        say(data, "$curve{} << END\n{}END", labels.size(), points);
        command += fmt::format("{} $curve{} using 1:2 with {} title {}", command.empty() ? "plot" : ",",
                               labels.size(), style_of(drawn), gnuplot::constant(drawn.curve->label));
        labels.push_back(drawn.curve->label);
    }
    const unsigned marks = draw_ends(ends, curves, plot.y);
    if (marks > 0 && !plot.end_meaning.empty()) {
        command +=
            fmt::format(", keyentry with lines linecolor rgb '#444444' linewidth 2 dashtype (2,4) title {}",
                        gnuplot::constant(plot.end_meaning));
        labels.push_back(plot.end_meaning);
    }

    Axis x_axis = plot.x;
    Axis y_axis = plot.y;
    tighten(x_axis, extent.least.first, extent.most.first);
    tighten(y_axis, extent.least.second, extent.most.second);
    if (!x_axis.to &&
        std::ranges::any_of(curves, [](const DrawnCurve& drawn) { return drawn.curve->ends_at.has_value(); }))
        x_axis.to = extent.most.first;
    std::string script =
        gnuplot::preamble(plot.title, plot_width, 500 + gnuplot::legend_height(labels, plot_width));
    script += gnuplot::axis('x', x_axis) + gnuplot::axis('y', y_axis);
    say(script, "{} samplen 2.5", gnuplot::legend_below);
    if (marks > 0) { // which are between the drawing and its title
        say(script, "set title offset 0,{:.1f}", 0.7 * marks);
        say(script, "set tmargin {:.1f}", 3 + 0.8 * marks);
    }
    return run_gnuplot(script + ends + data + command + '\n');
}

} // namespace nocturne
