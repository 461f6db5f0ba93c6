#include "sim/report/plot.hpp"

#include "sim/report/gnuplot.hpp"
#include "sim/report/gnuplot_script.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nocturne {
namespace {

using gnuplot::say;

constexpr const char* legend_place = "set key outside right center Left reverse spacing 1.25";

bool fits(double value, Scale scale)
{
    return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

/// On a logarithmic axis gnuplot goes on to the next power of the base; a margin of a few percent shows more.
void tighten(Axis& axis, double least, double most)
{
    if (axis.scale == Scale::linear)
        return;
    axis.from = axis.from.value_or(least / 1.15);
    axis.to = axis.to.value_or(most * 1.15);
}

} // namespace

std::string draw(const LinePlot& plot)
{
    std::string data;
    std::string command;
    std::size_t measured = 0;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::pair least{infinity, infinity};
    std::pair most{-infinity, -infinity};
    for (std::size_t i = 0; i < plot.curves.size(); ++i) {
        const Curve& curve = plot.curves[i];
        std::string style = "lines linecolor rgb '#000000' linewidth 1.6 dashtype (8,5)";
        if (curve.stroke == Stroke::measured) {
            style = fmt::format("linespoints linecolor rgb '{}' linewidth 2 pointtype {} pointsize 0.6",
                                gnuplot::curve_colour(measured), gnuplot::curve_mark(measured));
            ++measured;
        }
        std::string points;
        for (const auto& [x, y] : curve.points) {
            if (!fits(x, plot.x.scale) || !fits(y, plot.y.scale))
                continue;
            say(points, "{} {}", x, y);
            least = {std::min(least.first, x), std::min(least.second, y)};
            most = {std::max(most.first, x), std::max(most.second, y)};
        }
        if (points.empty())
            continue;
        say(data, "$curve{} << END\n{}END", i, points);
        command += fmt::format("{} $curve{} using 1:2 with {} title {}", command.empty() ? "plot" : ",", i,
                               style, gnuplot::constant(curve.label));
    }
    if (command.empty())
        gnuplot::refuse(plot.title, "there is no point to draw");

    Axis x_axis = plot.x;
    Axis y_axis = plot.y;
    tighten(x_axis, least.first, most.first);
    tighten(y_axis, least.second, most.second);
    std::string script = gnuplot::preamble(plot.title, 960, 540);
    script += gnuplot::axis('x', x_axis) + gnuplot::axis('y', y_axis);
    say(script, "{} samplen 2.5", legend_place);
    return run_gnuplot(script + data + command + '\n');
}

std::string draw(const BarPlot& plot)
{
    if (plot.categories.empty() || plot.bars.empty())
        gnuplot::refuse(plot.title, "there is no bar to draw");
    std::string script = gnuplot::preamble(plot.title, 900, 480);
    script += gnuplot::axis('y', plot.y);
    say(script, "set style data histogram");
    say(script, "set style histogram clustered gap 1");
    say(script, "set style fill solid noborder");
    say(script, "set grid noxtics");
    say(script, "set xtics scale 0 {}", plot.categories.size() > 8 ? "rotate by -40" : "");
    say(script, "{} samplen 1.5", legend_place);

    say(script, "$bars << END");
    for (std::size_t row = 0; row < plot.categories.size(); ++row) {
        script += gnuplot::field(plot.categories[row]);
        for (const Bars& bars : plot.bars) {
            if (bars.values.size() != plot.categories.size())
                gnuplot::refuse(plot.title, "there must be one value for each category");
            script += fits(bars.values[row], plot.y.scale) ? fmt::format(" {}", bars.values[row]) : " NaN";
        }
        script += '\n';
    }
    say(script, "END");
    for (std::size_t i = 0; i < plot.bars.size(); ++i)
        script +=
            fmt::format("{} $bars using {}:xticlabels(1) linecolor rgb '{}' title {}", i == 0 ? "plot" : ",",
                        i + 2, gnuplot::curve_colour(i), gnuplot::constant(plot.bars[i].label));
    return run_gnuplot(script + '\n');
}

} // namespace nocturne
