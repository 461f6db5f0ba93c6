#include "sim/report/table_view.hpp"

#include <fmt/ranges.h>

#include <map>
#include <set>

namespace nocturne {

TableView::TableView(const nlohmann::ordered_json& table) : rows(list_in(table, "rows"))
{
    for (const nlohmann::ordered_json& column : list_in(table, "columns")) {
        names.push_back(text_in(column, "name"));
        units.push_back(text_in(column, "unit"));
    }
    for (std::size_t column = 0; column < names.size(); ++column) {
        std::set<std::string> values;
        bool are_numbers = true, are_texts = false, are_missing = false;
        for (const nlohmann::ordered_json& row : rows)
            if (row[column].is_null()) {
                are_missing = true;
            } else {
                values.insert(row[column].dump());
                are_numbers = are_numbers && row[column].is_number();
                are_texts = are_texts || row[column].is_string();
            }
        distinct.push_back(values.size());
        is_missing.push_back(are_missing);
        is_number.push_back(are_numbers);
        is_text.push_back(are_texts);
    }
}

namespace {

/// Do these columns leave rows together that differ in that one?
bool tells_more_apart(const TableView& table, const std::vector<std::size_t>& axes, std::size_t column)
{
    std::map<std::string, const nlohmann::ordered_json*> first_rows;
    return std::ranges::any_of(table.rows, [&](const nlohmann::ordered_json& row) {
        std::string place;
        for (const std::size_t axis : axes)
            place += row[axis].dump() + ',';
        return (*first_rows.try_emplace(place, &row).first->second)[column] != row[column];
    });
}

} // namespace

std::vector<std::size_t> axes_of(const TableView& table)
{
    std::vector<std::size_t> axes;
    const bool is_sweep = table.at("point") < table.at("status") && table.has("status");
    const auto is_size = [&](std::size_t column) {
        return std::ranges::find(usual_sizes, table.names[column]) != usual_sizes.end();
    };
    std::size_t last_size = 0; // texts behind it are results, such as a state
    for (const char* const name : usual_sizes)
        last_size = table.has(name) ? std::max(last_size, table.at(name)) : last_size;
    for (std::size_t column = 0; column < table.names.size(); ++column) {
        const bool tells_apart =
            is_sweep ? table.is_option(column)
                     : is_size(column) ||
                           (table.is_text[column] && table.distinct[column] < table.rows.size() &&
                            table.names[column] != "routing_taken" && (last_size == 0 || column < last_size));
        if ((tells_apart || table.is_class(column)) && table.choices(column) > 1)
            axes.push_back(column);
    }
    for (std::size_t column = 0; is_sweep && column < table.names.size(); ++column)
        if (is_size(column) && table.varies(column) && std::ranges::find(axes, column) == axes.end() &&
            tells_more_apart(table, axes, column))
            axes.push_back(column);
    // Where nothing tells rows apart, a name that each has alone does.
    for (std::size_t column = 0; axes.empty() && column < table.names.size(); ++column)
        if (table.is_text[column] && !table.is_number[column] &&
            table.distinct[column] == table.rows.size() && table.rows.size() > 1)
            axes.push_back(column);
    return axes;
}

std::uint64_t TableView::count_in(const nlohmann::ordered_json& row, std::string_view name) const
{
    const nlohmann::ordered_json value = has(name) ? row[at(name)] : nlohmann::ordered_json();
    return value.is_number() && value >= 0 ? static_cast<std::uint64_t>(value.get<double>()) : 0;
}

std::string label_of(const TableView& table, const nlohmann::ordered_json& row,
                     const std::vector<std::size_t>& axes, std::size_t left_out)
{
    std::vector<std::string> parts;
    for (const std::size_t column : axes)
        if (column != left_out &&
            (!row[column].is_null() || table.is_option(column) || table.is_class(column)))
            parts.push_back(table.text_of(row, column));
    if (parts.size() < 2)
        return parts.empty() ? "" : parts.front();
    return fmt::format("{} ({})", parts.front(), fmt::join(parts.begin() + 1, parts.end(), ", "));
}

std::string losses_of(const TableView& table, const std::vector<std::size_t>& axes)
{
    const auto share = [&](const nlohmann::ordered_json& row) {
        return static_cast<double>(table.count_in(row, lost_packets)) /
               static_cast<double>(std::max<std::uint64_t>(1, table.count_in(row, measured_packets)));
    };
    const auto worst = std::ranges::max_element(table.rows, {}, share);
    const std::string label = label_of(table, *worst, axes, table.names.size());
    return losses_text(table.count_in(*worst, lost_packets), table.count_in(*worst, measured_packets),
                       label.empty() ? "in the window" : "with " + label);
}

namespace {

/// What all rows have in a column that have anything there; empty if they differ.
std::string common_value(const TableView& table, const char* name)
{
    if (!table.has(name) || table.distinct[table.at(name)] != 1)
        return "";
    const auto row = std::ranges::find_if(
        table.rows, [&](const nlohmann::ordered_json& each) { return !each[table.at(name)].is_null(); });
    return table.value_text(*row, table.at(name));
}

} // namespace

std::string common_text(const TableView& table)
{
    std::vector<std::string> parts;
    for (const char* const name : {"pattern", "routing"})
        if (const std::string value = common_value(table, name); !value.empty())
            parts.push_back(value);
    if (const std::string model = common_value(table, "model"); !model.empty())
        parts.push_back("model " + model);
    if (const std::string flits = common_value(table, "packet_flits"); !flits.empty())
        parts.push_back(fmt::format("packets of {} flits", flits));
    const std::string topology = common_value(table, "topology");
    return (topology.empty() ? "" : " on " + topology) +
           (parts.empty() ? "" : fmt::format(", {}", fmt::join(parts, ", ")));
}

} // namespace nocturne
