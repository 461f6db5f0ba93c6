#include "sim/report/gnuplot.hpp"
#include "sim/report/gnuplot_script.hpp"
#include "sim/report/plot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nocturne {
namespace {

using gnuplot::say;

constexpr unsigned picture_width = 1100;
constexpr double drawing_width = 900; // about what margins and legend leave

void check(const GanttPlot& plot)
{
    if (plot.boxes.empty())
        gnuplot::refuse(plot.title, "there is no box to draw");
    for (const GanttBox& box : plot.boxes) {
        if (box.row >= plot.rows.size() || box.group >= plot.groups.size())
            gnuplot::refuse(plot.title, "a box is in a row or a group that does not exist");
        if (!std::isfinite(box.begin) || !std::isfinite(box.end) || box.end < box.begin)
            gnuplot::refuse(plot.title, "a box ends before it begins");
    }
}

/// The part of its row's height that a box gets: lane `lane` of `lanes`, from the top.
struct Lane {
    std::size_t lane = 0;
    std::size_t lanes = 1;
};

/// Boxes of one row that overlap in time get different lanes: first fit in order of time.
std::vector<Lane> assign_lanes(const GanttPlot& plot)
{
    std::vector<std::size_t> order(plot.boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return plot.boxes[a].begin < plot.boxes[b].begin; });
    std::vector<Lane> lanes(plot.boxes.size());
    std::vector<std::vector<double>> busy_until(plot.rows.size());
    for (const std::size_t i : order) {
        const GanttBox& box = plot.boxes[i];
        auto& ends = busy_until[box.row];
        const auto lane =
            std::find_if(ends.begin(), ends.end(), [&](double end) { return end <= box.begin; });
        lanes[i].lane = static_cast<std::size_t>(lane - ends.begin());
        if (lane == ends.end())
            ends.push_back(box.end);
        else
            *lane = box.end;
    }
    for (std::size_t i = 0; i < lanes.size(); ++i)
        lanes[i].lanes = busy_until[plot.boxes[i].row].size();
    return lanes;
}

/// Rows of a readable height while the picture stays on a page; where there are too many, only every n-th has
/// its name.
struct RowLayout {
    double pixels;
    std::size_t name_every;
    unsigned font_size;
};

RowLayout layout_of(std::size_t rows)
{
    constexpr double page = 1000;
    constexpr double smallest_name = 11;
    const double pixels = std::clamp(page / static_cast<double>(rows), 1.0, 24.0);
    return {pixels, static_cast<std::size_t>(std::ceil(smallest_name / pixels)), pixels < 14 ? 9U : 11U};
}

std::string row_names(const GanttPlot& plot, const RowLayout& layout)
{
    std::string ticks;
    for (std::size_t row = 0; row < plot.rows.size(); row += layout.name_every)
        ticks += fmt::format("{}{} {}", ticks.empty() ? "" : ",", gnuplot::tick(plot.rows[row]), row);
    return fmt::format("set ytics font ',{}' scale 0 ({})\n", layout.font_size, ticks);
}

/// Blocks of data $group0, $group1, … with the boxes, and $labels with the texts that fit into theirs.
std::string data_blocks(const GanttPlot& plot, const RowLayout& layout, double pixels_per_unit)
{
    constexpr double character_width = 6.5;
    constexpr double text_height = 12;
    const std::vector<Lane> lanes = assign_lanes(plot);
    std::vector<std::string> groups(plot.groups.size());
    std::string labels;
    for (std::size_t i = 0; i < plot.boxes.size(); ++i) {
        const GanttBox& box = plot.boxes[i];
        const double height = 0.84 / static_cast<double>(lanes[i].lanes);
        const double top = static_cast<double>(box.row) - 0.42 + height * static_cast<double>(lanes[i].lane);
        const double middle = (box.begin + box.end) / 2;
        say(groups[box.group], "{} {} {} {} {} {}", middle, top, box.begin, box.end, top, top + height);
        const double text_width = character_width * static_cast<double>(box.label.size() + 1);
        if (!box.label.empty() && (box.end - box.begin) * pixels_per_unit > text_width &&
            height * layout.pixels > text_height)
            say(labels, "{} {} {} 0x{}", middle, top + height / 2, gnuplot::field(box.label),
                gnuplot::text_colour(gnuplot::area_colour(box.group, plot.groups.size())) + 1);
    }
    std::string script;
    for (std::size_t group = 0; group < groups.size(); ++group)
        say(script, "$group{} << END\n{}END", group, groups[group]);
    say(script, "$labels << END\n{}END", labels);
    return script;
}

/// One of so many groups has its name in the legend.
std::size_t group_name_every(const GanttPlot& plot)
{
    constexpr std::size_t longest_legend = 24;
    return (plot.groups.size() + longest_legend - 1) / longest_legend;
}

unsigned picture_height(const GanttPlot& plot, const RowLayout& layout)
{
    constexpr double around = 130; // title, axis and its label
    constexpr double legend_line = 20;
    const double rows = layout.pixels * static_cast<double>(plot.rows.size());
    const std::size_t named = plot.groups.size() / group_name_every(plot);
    const double legend = legend_line * static_cast<double>(named + 2);
    return static_cast<unsigned>(std::max(rows, legend) + around);
}

std::string plot_command(const GanttPlot& plot)
{
    const std::size_t name_every = group_name_every(plot);
    std::string command = "plot";
    for (std::size_t group = 0; group < plot.groups.size(); ++group)
        command += fmt::format(" $group{} using 1:2:3:4:5:6 with boxxyerror fillcolor rgb '{}' title {},",
                               group, gnuplot::area_colour(group, plot.groups.size()),
                               gnuplot::constant(group % name_every == 0 ? plot.groups[group] : ""));
    return command + " $labels using 1:2:3:4 with labels font ',10' textcolor rgb variable notitle\n";
}

} // namespace

std::string draw(const GanttPlot& plot)
{
    check(plot);
    const auto earliest = std::min_element(plot.boxes.begin(), plot.boxes.end(),
                                           [](const auto& a, const auto& b) { return a.begin < b.begin; });
    const auto latest = std::max_element(plot.boxes.begin(), plot.boxes.end(),
                                         [](const auto& a, const auto& b) { return a.end < b.end; });
    Axis x = plot.x;
    x.from = x.from.value_or(std::min(0.0, earliest->begin));
    x.to = x.to.value_or(latest->end + (latest->end - *x.from) / 100);
    if (!(*x.from < *x.to))
        gnuplot::refuse(plot.title, "it would show no time at all");

    const RowLayout layout = layout_of(plot.rows.size());
    std::string script = gnuplot::preamble(plot.title, picture_width, picture_height(plot, layout));
    script += gnuplot::axis('x', x);
    script += gnuplot::axis(
        'y', {plot.row_title, Scale::linear, static_cast<double>(plot.rows.size()) - 0.4, -0.6});
    script += row_names(plot, layout);
    say(script, "set grid noytics");
    say(script, "set style fill solid 1 border rgb '#ffffff'");
    say(script, "set key outside right top Left reverse samplen 1 title {} left",
        gnuplot::constant(plot.group_title));
    script += data_blocks(plot, layout, drawing_width / (*x.to - *x.from));
    return run_gnuplot(script + plot_command(plot));
}

} // namespace nocturne
