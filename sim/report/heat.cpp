#include "sim/report/gnuplot.hpp"
#include "sim/report/gnuplot_script.hpp"
#include "sim/report/plot.hpp"

#include <algorithm>
#include <cmath>

namespace nocturne {

namespace {

using gnuplot::say;

/// Names that can be read below each other; of more rows every second or third is named.
constexpr std::size_t most_row_names = 64;
constexpr unsigned heat_row_pixels = 13;
/// More shades than that cannot be told apart, and neighbours of one shade are one box.
constexpr double heat_shades = 48;

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

/// The end of the scale: the largest value, rounded up to its first digit; 1 if there is nothing above 0.
double hottest(const std::vector<std::vector<double>>& values)
{
    double most = 0;
    for (const std::vector<double>& row : values)
        most = std::max(most, *std::max_element(row.begin(), row.end()));
    if (!(most > 0))
        return 1;
    const double digit = std::pow(10, std::floor(std::log10(most)));
    return digit * std::ceil(most / digit * (1 - 1e-9));
}

/// A rectangle of fields of one shade: columns from `first` to `last`, rows from `top` to `bottom`.
struct HeatBox {
    std::size_t first;
    std::size_t last;
    double shade;
    std::size_t top;
    std::size_t bottom;
};

/// The fields that are not 0, in few rectangles: runs in a row, and those of equal runs below each other.
std::vector<HeatBox> heat_boxes(const HeatPlot& plot, double most)
{
    std::vector<HeatBox> boxes;
    std::vector<std::size_t> above; // boxes that the row before is in
    for (std::size_t row = 0; row < plot.rows.size(); ++row) {
        const std::vector<double>& values = plot.values[row];
        const auto shade = [&](std::size_t i) { return std::round(values[i] / most * heat_shades); };
        std::vector<std::size_t> here;
        for (std::size_t i = 0; i < values.size();) {
            HeatBox box{i, i, shade(i), row, row};
            while (++i < values.size() && shade(i) == box.shade)
                box.last = i;
            if (!(box.shade > 0))
                continue;
            const auto same = std::ranges::find_if(above, [&](std::size_t index) {
                const HeatBox& other = boxes[index];
                return other.first == box.first && other.last == box.last && other.shade == box.shade;
            });
            if (same != above.end()) {
                boxes[*same].bottom = row;
                here.push_back(*same);
            } else {
                here.push_back(boxes.size());
                boxes.push_back(box);
            }
        }
        above = std::move(here);
    }
    return boxes;
}

/// Their lines of data: `x y from to top bottom value`.
std::string heat_lines(const HeatPlot& plot, double most)
{
    const double width = (*plot.x.to - *plot.x.from) / static_cast<double>(plot.values.front().size());
    std::string lines;
    for (const HeatBox& box : heat_boxes(plot, most)) {
        const double from = *plot.x.from + width * static_cast<double>(box.first);
        const double to = *plot.x.from + width * static_cast<double>(box.last + 1);
        const double top = static_cast<double>(box.top) - 0.5;
        const double bottom = static_cast<double>(box.bottom) + 0.5;
        say(lines, "{:.7g} {} {:.7g} {:.7g} {} {} {:.4g}", (from + to) / 2, (top + bottom) / 2, from, to, top,
            bottom, box.shade / heat_shades * most);
    }
    return lines;
}

} // namespace

std::string draw(const HeatPlot& plot)
{
    check_heat(plot);
    const auto shown_rows =
        static_cast<unsigned>(std::clamp<std::size_t>(plot.rows.size(), 8, most_row_names));
    const double most = hottest(plot.values);
    std::string script = gnuplot::preamble(plot.title, 900, 170 + heat_row_pixels * shown_rows);
    const std::string lines = heat_lines(plot, most);
    script += gnuplot::axis('x', plot.x);
    say(script, "set ylabel {}", gnuplot::constant(plot.row_title));
    say(script, "set yrange [{}:-0.5]", static_cast<double>(plot.rows.size()) - 0.5);
    say(script, "set ytics ({}) font ',9'", heat_row_ticks(plot.rows));
    say(script, "unset grid");
    say(script, "set cbrange [0:{}]", most);
    say(script, "set cblabel {}", gnuplot::constant(plot.value_title));
    say(script,
        "set palette defined (0 '#ffffff', 0.25 '#fee391', 0.5 '#fe9929', 0.75 '#cc4c02', 1 '#662506')");
    say(script, "set style fill solid 1 noborder");
    if (lines.empty())
        say(script, "plot NaN with points palette notitle");
    else
        say(script,
            "$heat << END\n{}END\nplot $heat using 1:2:3:4:5:6:7 with boxxyerror linecolor palette notitle",
            lines);
    return run_gnuplot(script);
}

} // namespace nocturne
