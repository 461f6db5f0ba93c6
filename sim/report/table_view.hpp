// A table as the page has it, for those who say what it shows.
#pragma once

#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Names, units and kinds of its columns, and what its rows say of them.
class TableView {
public:
    explicit TableView(const nlohmann::ordered_json& table);

    /// One past the last if there is none.
    std::size_t at(std::string_view name) const
    {
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    }
    bool has(std::string_view name) const { return at(name) < names.size(); }
    bool varies(std::size_t column) const { return distinct[column] > 1; }

    /// Is it an option of a sweep? One that a point does not have is told apart from those that it may have.
    bool is_option(std::size_t column) const
    {
        return has("status") && column > at("point") && column < at("status");
    }
    /// Classes of traffic and all of them together are rows of one run.
    bool is_class(std::size_t column) const { return names[column] == "traffic_class"; }
    /// By how many values a column tells rows apart.
    std::size_t choices(std::size_t column) const
    {
        return distinct[column] + (is_missing[column] && (is_option(column) || is_class(column)) ? 1 : 0);
    }

    /// `packet latency (cycles)` of a column, for an axis.
    std::string label_of(std::size_t column) const
    {
        std::string name = names[column];
        const std::string suffix = '_' + column_key({units[column], ""});
        if (!units[column].empty() && name.ends_with(suffix))
            name.resize(name.size() - suffix.size());
        std::ranges::replace(name, '_', ' ');
        return units[column].empty() ? name : fmt::format("{} ({})", name, units[column]);
    }

    /// 0 if there is no such column, or no count in it.
    std::uint64_t count_in(const nlohmann::ordered_json& row, std::string_view name) const;

    std::string text_of(const nlohmann::ordered_json& row, std::size_t column) const
    {
        const nlohmann::ordered_json& value = row[column];
        if (value.is_string())
            return value.get<std::string>();
        std::string name = names[column];
        std::ranges::replace(name, '_', ' ');
        if (value.is_null())
            return is_class(column) ? "all traffic" : name + " not given";
        return name + ' ' + (value.is_number() ? short_number(value.get<double>()) : value.dump());
    }

    /// Without the name of its column.
    std::string value_text(const nlohmann::ordered_json& row, std::size_t column) const
    {
        const nlohmann::ordered_json& value = row[column];
        return value.is_number()   ? short_number(value.get<double>())
               : value.is_string() ? value.get<std::string>()
               : value.is_null()   ? std::string(is_class(column) ? "all traffic" : "not given")
                                   : value.dump();
    }

    Cell cell_of(const nlohmann::ordered_json& row, std::size_t column) const
    {
        const nlohmann::ordered_json& value = row[column];
        if (value.is_null())
            return {};
        if (value.is_number_unsigned())
            return value.get<std::uint64_t>();
        constexpr int digits = 4;
        return value.is_number() ? Cell(Real{value.get<double>(), digits}) : Cell(value_text(row, column));
    }

    const nlohmann::ordered_json& rows;
    std::vector<std::string> names, units;
    std::vector<std::size_t> distinct; ///< values of a column, those that are missing left out
    std::vector<bool> is_missing;      ///< in a row or more
    std::vector<bool> is_number, is_text;
};

/// What numbers are usually drawn over, if a table has it, in this order.
inline constexpr std::array usual_sizes{"load", "message_bytes", "bytes", "outstanding"};

/// The columns by which rows are told apart: of a sweep what was varied, of another table texts that differ,
/// and what numbers are usually drawn over. Of a point with several rows what these are of.
std::vector<std::size_t> axes_of(const TableView& table);

/// `xy (vcs 2)`: what the row has in these columns but for `left_out`.
std::string label_of(const TableView& table, const nlohmann::ordered_json& row,
                     const std::vector<std::size_t>& axes, std::size_t left_out);

/// ` on mesh:8x8, uniform, xy, packets of 8 flits`: what does not tell rows apart; empty without any of
/// these.
std::string common_text(const TableView& table);

inline constexpr std::string_view lost_packets = "faults_measured_lost_packets";
inline constexpr std::string_view measured_packets = "measured_packets";
/// losses_text() of the row with the largest share.
std::string losses_of(const TableView& table, const std::vector<std::size_t>& axes);

} // namespace nocturne
