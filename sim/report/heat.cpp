#include "sim/report/gnuplot.hpp"
#include "sim/report/gnuplot_script.hpp"
#include "sim/report/plot.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace nocturne {

namespace {

using gnuplot::say;

/// Names that can be read below each other; of more rows every second or third is named.
constexpr std::size_t most_row_names = 48;
constexpr unsigned heat_row_pixels = 13;

void check_heat(const HeatPlot& plot)
{
    if (plot.rows.empty() || plot.values.empty() || plot.values.front().empty())
        gnuplot::refuse(plot.title, "nothing to draw");
    if (plot.values.size() != plot.rows.size() ||
        std::any_of(plot.values.begin(), plot.values.end(),
                    [&](const auto& row) { return row.size() != plot.values.front().size(); }))
        gnuplot::refuse(plot.title, "rows of different length");
    if (!plot.x.from || !plot.x.to || !(*plot.x.to > *plot.x.from))
        gnuplot::refuse(plot.title, "no range of the x axis");
}

std::string heat_row_ticks(const std::vector<std::string>& rows)
{
    const std::size_t every = (rows.size() + most_row_names - 1) / most_row_names;
    std::string ticks;
    for (std::size_t row = 0; row < rows.size(); row += every)
        ticks += fmt::format("{}{} {}", row == 0 ? "" : ", ", gnuplot::tick(rows[row]), row);
    return ticks;
}

} // namespace

std::string draw(const HeatPlot& plot)
{
    check_heat(plot);
    const std::size_t columns = plot.values.front().size();
    const double width = (*plot.x.to - *plot.x.from) / static_cast<double>(columns);
    const auto shown_rows = static_cast<unsigned>(std::min(plot.rows.size(), most_row_names));
    std::string script = gnuplot::preamble(plot.title, 900, 170 + heat_row_pixels * shown_rows);
    say(script, "$heat << END");
    for (const std::vector<double>& row : plot.values)
        say(script, "{}", fmt::join(row, " "));
    say(script, "END");
    script += gnuplot::axis('x', plot.x);
    say(script, "set ylabel {}", gnuplot::constant(plot.row_title));
    say(script, "set yrange [{}:-0.5]", static_cast<double>(plot.rows.size()) - 0.5);
    say(script, "set ytics ({}) font ',9'", heat_row_ticks(plot.rows));
    say(script, "unset grid");
    say(script, "set cbrange [0:1]");
    say(script, "set cblabel {}", gnuplot::constant(plot.value_title));
    say(script,
        "set palette defined (0 '#ffffff', 0.25 '#fee391', 0.5 '#fe9929', 0.75 '#cc4c02', 1 '#662506')");
    say(script, "plot $heat matrix using ({} + ($1 + 0.5) * {}):2:3 with image pixels notitle", *plot.x.from,
        width);
    return run_gnuplot(script);
}

} // namespace nocturne
