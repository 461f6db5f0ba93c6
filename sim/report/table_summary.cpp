// What tables say at first sight: sweeps, and files of other programs.
#include "sim/report/summaries.hpp"
#include "sim/report/table_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace nocturne {

namespace {

using Json = nlohmann::ordered_json;

/// What is drawn over what, if a table has it, in this order.
constexpr std::array usual_values{
    "average_packet_latency_cycles", "answered_rate", "time_ns", "time_cycles", "steps", "schedule_time_ns"};

/// With a capital.
std::string sentence_of(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

/// The first of these names that varies; or else the first that is as wanted.
template <class Names, class Wanted>
std::optional<std::size_t> column_of(const TableView& table, const Names& names, Wanted wanted)
{
    for (const char* const name : names)
        if (const std::size_t column = table.at(name);
            column < table.names.size() && table.varies(column) && wanted(column))
            return column;
    for (std::size_t column = 0; column < table.names.size(); ++column)
        if (table.is_number[column] && table.varies(column) && wanted(column))
            return column;
    return std::nullopt;
}

/// Why a row has no result; nothing if it has.
std::optional<std::string> failure_of(const TableView& table, const Json& row)
{
    const auto value = [&](const char* name) { return table.has(name) ? row[table.at(name)] : Json(); };
    for (const char* const name : {"error", "stall_reason"})
        if (const Json reason = value(name); reason.is_string())
            return reason.get<std::string>();
    const Json status = value("status");
    if (!status.is_number() || status == 0)
        return std::nullopt;
    return fmt::format("status {}", status.dump());
}

/// Points, of which one may have several rows, or else rows.
std::size_t runs_of(const TableView& table)
{
    return table.has("point") ? table.distinct[table.at("point")] : table.rows.size();
}

/// One of each point.
std::vector<std::string> failures_of(const TableView& table, const std::vector<std::size_t>& axes)
{
    std::vector<std::string> failures;
    const Json* last = nullptr;
    for (const Json& row : table.rows)
        if (const auto failure = failure_of(table, row);
            failure && (last == nullptr || !table.has("point") ||
                        (*last)[table.at("point")] != row[table.at("point")])) {
            last = &row;
            failures.push_back(
                fmt::format("{}: {}", label_of(table, row, axes, table.names.size()), *failure));
        }
    return failures;
}

/// A figure of each of these rows, in a matrix over the two axes in which they differ. Nothing if it is not
/// two, or if several rows are in one place.
std::optional<Table> matrix_of(const TableView& table, const std::string& title,
                               const std::vector<std::size_t>& axes, const std::vector<const Json*>& rows,
                               const std::vector<Cell>& figures)
{
    constexpr std::size_t most_columns = 12;
    if (axes.size() != 2)
        return std::nullopt;
    const bool is_wide = table.choices(axes[0]) < table.choices(axes[1]);
    const std::size_t down = axes[is_wide ? 1 : 0], across = axes[is_wide ? 0 : 1];
    if (table.choices(across) > most_columns)
        return std::nullopt;
    Table matrix{title, {{table.label_of(down), "", Align::left}}, {}};
    std::vector<std::string> names;
    for (const Json* const row : rows) {
        const std::string column = table.text_of(*row, across), name = table.value_text(*row, down);
        if (std::ranges::find(matrix.columns, column, &Column::name) == matrix.columns.end())
            matrix.columns.push_back({column, ""});
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name);
    }
    for (const std::string& name : names)
        matrix.rows.emplace_back(matrix.columns.size()).front() = name;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto column =
            std::ranges::find(matrix.columns, table.text_of(*rows[i], across), &Column::name) -
            matrix.columns.begin();
        const auto line = std::ranges::find(names, table.value_text(*rows[i], down)) - names.begin();
        Cell& cell = matrix.rows[static_cast<std::size_t>(line)][static_cast<std::size_t>(column)];
        if (!std::holds_alternative<std::monostate>(cell))
            return std::nullopt;
        cell = figures[i];
    }
    return matrix;
}

/// Of each of these rows what it has in the axes, and its figure.
Table list_of(const TableView& table, const Column& figure, const std::vector<std::size_t>& axes,
              const std::vector<const Json*>& rows, const std::vector<Cell>& figures)
{
    Table list{"", {}, {}};
    for (const std::size_t axis : axes)
        list.columns.push_back(
            {table.label_of(axis), "", table.is_number[axis] ? Align::right : Align::left});
    list.columns.push_back(figure);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<Cell> cells;
        for (const std::size_t axis : axes)
            cells.push_back(table.cell_of(*rows[i], axis));
        cells.push_back(figures[i]);
        list.add_row(std::move(cells));
    }
    return list;
}

/// Above so many curves on one pair of axes the axis with the most values that fit beside each other divides
/// them. `rows`: one of each curve.
decltype(Summary::picture) divided(LinePlot plot, const TableView& table, std::vector<std::size_t> axes,
                                   const std::vector<const Json*>& rows)
{
    constexpr std::size_t most_curves = 8, most_plots = 9;
    std::optional<std::size_t> divisor;
    for (const std::size_t axis : axes)
        if (table.choices(axis) <= most_plots && (!divisor || table.choices(axis) > table.choices(*divisor)))
            divisor = axis;
    if (plot.curves.size() <= most_curves || axes.size() < 2 || !divisor)
        return plot;
    std::erase(axes, *divisor);
    SmallMultiples multiples;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string title = table.text_of(*rows[i], *divisor);
        auto place = std::ranges::find(multiples.plots, title, &LinePlot::title);
        if (place == multiples.plots.end())
            place = multiples.plots.insert(place, LinePlot{title, plot.x, plot.y, {}, plot.end_meaning});
        plot.curves[i].label = label_of(table, *rows[i], axes, table.names.size());
        place->curves.push_back(std::move(plot.curves[i]));
    }
    return multiples;
}

/// A point per load: the mean of its runs. It is saturated if one of them is.
std::vector<TrafficPoint> means_by_load(std::vector<TrafficPoint> points)
{
    std::ranges::stable_sort(points, {}, &TrafficPoint::load);
    std::vector<TrafficPoint> means;
    for (auto begin = points.begin(); begin != points.end();) {
        const auto end = std::find_if(begin, points.end(),
                                      [&](const TrafficPoint& each) { return each.load > begin->load; });
        TrafficPoint& mean = means.emplace_back(*begin);
        double sum = 0;
        for (auto each = begin; each != end; ++each) {
            mean.saturated = mean.saturated || each->saturated;
            sum += each->latency.average_packet_latency_cycles.value_or(0);
        }
        if (mean.saturated)
            mean.latency.average_packet_latency_cycles = std::nullopt;
        else
            mean.latency.average_packet_latency_cycles = sum / static_cast<double>(end - begin);
        begin = end;
    }
    return means;
}

/// Rows of loads as curves.
Summary summary_of_loads(const TableView& table, std::vector<std::size_t> axes)
{
    const bool has_seeds = std::ranges::find(axes, table.at("seed")) != axes.end();
    std::erase(axes, table.at("load"));
    std::erase(axes, table.at("seed"));
    std::vector<TrafficCurve> curves;
    std::vector<std::string> labels;
    std::vector<const Json*> first_rows;
    const Json* all =
        nullptr; // classes of traffic are drawn over the load of all, whose row is before theirs
    for (const Json& row : table.rows) {
        if (all == nullptr || !table.has("traffic_class") || row[table.at("traffic_class")].is_null())
            all = &row;
        const auto number = [&](const char* name) {
            const Json& value = (std::string_view(name) == "load" ? *all : row)[table.at(name)];
            return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
        };
        const bool is_stalled = table.has("stall_reason") && row[table.at("stall_reason")].is_string();
        if (!number("load") || (failure_of(table, row) && !is_stalled))
            continue;
        const std::string label = label_of(table, row, axes, table.names.size());
        auto place = static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
        if (place == labels.size()) {
            labels.push_back(label);
            curves.emplace_back();
            first_rows.push_back(&row);
        }
        TrafficPoint& point = curves[place].points.emplace_back();
        point.load = *number("load");
        point.latency.average_packet_latency_cycles = number("average_packet_latency_cycles");
        if (table.has(lost_packets)) {
            point.faults.emplace().measured_lost_packets = table.count_in(row, lost_packets);
            point.measured_packets = table.count_in(row, measured_packets);
        }
        // A run that stopped has none.
        point.saturated = row[table.at("saturated")] == true || !point.latency.average_packet_latency_cycles;
    }
    for (TrafficCurve& curve : curves)
        curve.points = means_by_load(std::move(curve.points));
    Summary summary = summary_of_curves(curves, labels);
    if (has_seeds && !curves.empty())
        summary.headline +=
            fmt::format(" Each point is a mean over {} seeds.", table.distinct[table.at("seed")]);
    if (auto matrix = matrix_of(table, "Highest steady load (flits per processor and cycle)", axes,
                                first_rows, saturation_cells(curves)))
        std::tie(summary.table, summary.is_matrix) = std::pair(std::move(*matrix), true);
    if (auto* const plot = std::get_if<LinePlot>(&summary.picture)) {
        plot->title = "Latency over load";
        summary.picture = divided(std::move(*plot), table, axes, first_rows);
    }
    return summary;
}

/// Values of one column over another one.
Summary summary_of_values(const TableView& table, const std::vector<std::size_t>& axes)
{
    Summary summary;
    const auto is_axis = [&](std::size_t column) { return std::ranges::find(axes, column) != axes.end(); };
    const auto y = column_of(table, usual_values, [&](std::size_t column) {
        return !is_axis(column) && table.names[column] != "point" && table.names[column] != "status" &&
               table.names[column] != "seed";
    });
    const auto x = column_of(table, usual_sizes, [&](std::size_t column) {
        return column != y && table.is_number[column] && (is_axis(column) || axes.empty());
    });
    if (!y)
        return summary;
    std::vector<Curve> curves;
    std::vector<const Json*> rows, first_rows; // with a value; of each curve
    std::vector<Cell> values;
    const Json* least = nullptr;
    const Json* most = nullptr;
    for (const Json& row : table.rows) {
        if (!row[*y].is_number() || failure_of(table, row))
            continue;
        const auto value = row[*y].get<double>();
        if (least == nullptr || value < (*least)[*y].get<double>())
            least = &row;
        if (most == nullptr || value > (*most)[*y].get<double>())
            most = &row;
        rows.push_back(&row);
        values.push_back(table.cell_of(row, *y));
        if (!x || !row[*x].is_number())
            continue;
        const std::string label = label_of(table, row, axes, *x);
        auto curve = std::ranges::find(curves, label, &Curve::label);
        if (curve == curves.end()) {
            curve = curves.insert(curve, Curve{label, {}});
            first_rows.push_back(&row);
        }
        curve->points.emplace_back(row[*x].get<double>(), value);
    }
    const auto where = [&](const Json& row) {
        const std::string label = label_of(table, row, axes, table.names.size());
        return short_number(row[*y].get<double>()) + (label.empty() ? "" : " with " + label);
    };
    if (least != nullptr)
        summary.headline =
            fmt::format("{}: from {} to {}.", sentence_of(table.label_of(*y)), where(*least), where(*most));
    if (auto matrix = matrix_of(table, sentence_of(table.label_of(*y)), axes, rows, values))
        std::tie(summary.table, summary.is_matrix) = std::pair(std::move(*matrix), true);
    else if (!axes.empty())
        summary.table = list_of(table, {table.label_of(*y), ""}, axes, rows, values);
    constexpr std::size_t most_curves = 64;
    if (!x || curves.empty() || curves.size() > most_curves)
        return summary;
    const bool is_of_bytes = table.names[*x].ends_with("bytes");
    LinePlot plot{"",
                  {table.label_of(*x), is_of_bytes ? Scale::log2 : Scale::linear},
                  {table.label_of(*y), is_of_bytes ? Scale::log10 : Scale::linear},
                  {}};
    for (Curve& curve : curves) {
        if (curve.label.empty())
            curve.label = table.label_of(*y);
        std::ranges::sort(curve.points);
        plot.curves.push_back(std::move(curve));
    }
    std::vector<std::size_t> others = axes;
    std::erase(others, *x);
    summary.picture = divided(std::move(plot), table, others, first_rows);
    return summary;
}

/// What the only row says first.
std::string values_text(const TableView& table)
{
    constexpr std::size_t most = 5;
    std::vector<std::string> values;
    for (std::size_t column = 0; column < std::min(most, table.names.size()); ++column)
        if (const Json& value = table.rows.front()[column]; !value.is_null())
            values.push_back(
                fmt::format("{} {}", table.label_of(column), table.value_text(table.rows.front(), column)));
    return sentence_of(fmt::format("{}.", fmt::join(values, ", ")));
}

} // namespace

std::optional<Summary> summary_of_table(const nlohmann::ordered_json& json)
{
    const TableView table(json);
    if (table.rows.empty())
        return std::nullopt;
    const std::vector<std::size_t> axes = axes_of(table);
    const bool is_of_loads = table.has("average_packet_latency_cycles") && table.has("saturated") &&
                             table.has("load") && (table.rows.size() == 1 || table.varies(table.at("load")));
    Summary summary = is_of_loads ? summary_of_loads(table, axes) : summary_of_values(table, axes);
    const std::string all = counted(runs_of(table), table.has("point") ? "point" : "row");
    if (!is_of_loads && table.has("saturated"))
        if (const auto saturated = std::ranges::count_if(
                table.rows, [&](const Json& row) { return row[table.at("saturated")] == true; });
            saturated > 0)
            summary.headline = fmt::format("{} of {} saturate the network.{}{}", saturated, all,
                                           summary.headline.empty() ? "" : " ", summary.headline);
    summary.subject = all;
    std::vector<std::string> varied;
    for (const std::size_t column : axes)
        varied.push_back(fmt::format("{} ({})", table.label_of(column), table.choices(column)));
    if (!varied.empty())
        summary.subject += " by " + listed(varied);
    summary.subject += common_text(table);
    if (!is_of_loads)
        summary.headline += losses_of(table, axes);
    summary.reasons = failures_of(table, axes);
    if (summary.is_bad = !summary.reasons.empty(); summary.is_bad)
        summary.headline = fmt::format("{} of {} failed. {}", summary.reasons.size(), all, summary.headline);
    if (summary.headline.empty() && table.rows.size() == 1)
        summary.headline = values_text(table);
    if (summary.headline.empty())
        summary.headline = summary.subject + '.';
    return summary;
}

} // namespace nocturne
