#include "models/text/csv.hpp"
#include "models/text/number.hpp"
#include "sim/audit/log_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <stdexcept>

namespace nocturne {
namespace {

/// A column has one of these, or a longer name that begins so.
using ColumnNames = std::span<const std::string_view>;
constexpr std::array<std::string_view, 2> of_op{"op", "collective"};
constexpr std::array<std::string_view, 2> of_size{"bytes", "size"};
constexpr std::array<std::string_view, 3> of_time{"time_us", "time (us)", "latency_us"};
constexpr std::array<std::string_view, 1> of_ranks{"ranks"}, of_place{"place"},
    of_algorithm_bandwidth{"algbw"}, of_bus_bandwidth{"busbw"};

/// Fields of a record by the names of their columns.
class TableColumns {
public:
    explicit TableColumns(std::string_view header) : names_(csv_fields(header))
    {
        for (std::string& name : names_)
            std::ranges::transform(name, name.begin(),
                                   [](unsigned char sign) { return static_cast<char>(std::tolower(sign)); });
    }

    bool has(ColumnNames names) const { return place_of(names) < names_.size(); }
    /// Empty if there is no such column.
    std::string_view operator()(const std::vector<std::string>& record, ColumnNames names) const
    {
        const std::size_t place = place_of(names);
        return place < record.size() ? std::string_view(record[place]) : std::string_view();
    }

private:
    /// The first column that begins with one of the names.
    std::size_t place_of(ColumnNames names) const
    {
        const auto found = std::ranges::find_if(names_, [&](const std::string& column) {
            return std::ranges::any_of(names,
                                       [&](std::string_view name) { return column.starts_with(name); });
        });
        return static_cast<std::size_t>(found - names_.begin());
    }

    std::vector<std::string> names_;
};

/// Of a run with that collective and number of ranks, which is there from then on.
MeasuredRun& run_of(MeasuredLog& log, std::string_view op, std::uint32_t ranks)
{
    const auto kind = kind_called(op);
    const SizeMeaning meaning = op.starts_with("osu") ? SizeMeaning::one_block : SizeMeaning::whole;
    const auto found = std::ranges::find_if(log.runs, [&](const MeasuredRun& run) {
        return run.kind == kind && run.ranks == ranks && run.size_meaning == meaning;
    });
    if (found != log.runs.end())
        return *found;
    return log.runs.emplace_back(
        MeasuredRun{.tool = "a table", .size_meaning = meaning, .kind = kind, .ranks = ranks});
}

} // namespace

bool is_measured_table(const std::vector<LogLine>& lines)
{
    if (lines.empty() || lines.front().text.find(',') == std::string_view::npos)
        return false;
    try {
        const TableColumns columns(lines.front().text);
        return columns.has(of_size) && columns.has(of_time);
    } catch (const std::invalid_argument&) {
        return false;
    }
}

MeasuredLog read_measured_table(const std::vector<LogLine>& lines, const std::string& origin)
{
    MeasuredLog log;
    LeftOut left_out;
    const TableColumns columns(lines.front().text);
    for (const LogLine& line : lines) {
        if (line.number == lines.front().number || line.text.empty())
            continue;
        std::vector<std::string> record;
        try {
            record = csv_fields(line.text);
        } catch (const std::invalid_argument& wrong) {
            throw std::runtime_error(fmt::format("{}: line {}: {}", origin, line.number, wrong.what()));
        }
        const auto number = [&](ColumnNames names) { return number_of<double>(columns(record, names)); };
        const std::string_view op = columns(record, of_op);
        const auto size = number(of_size), time = number(of_time);
        if (!op.empty() && !kind_called(op)) {
            left_out.add_other(fmt::format("'{}'", op));
            continue;
        }
        if (!size || !time || !(*size >= 1) || !(*size < 1e18) || !(*time > 0) || !std::isfinite(*time)) {
            ++left_out.empty_rows;
            continue;
        }
        const std::string_view place = columns(record, of_place);
        const std::uint32_t ranks = number_of<std::uint32_t>(columns(record, of_ranks)).value_or(0);
        run_of(log, op, ranks)
            .rows.push_back({.line = line.number,
                             .size = static_cast<std::uint64_t>(*size),
                             .time_us = *time,
                             .algorithm_bandwidth = number(of_algorithm_bandwidth),
                             .bus_bandwidth = number(of_bus_bandwidth),
                             .place = place == "in" || place == "out" ? std::string(place) : ""});
    }
    log.remarks = left_out.remarks();
    return log;
}

} // namespace nocturne
