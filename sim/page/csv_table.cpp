#include "sim/page/csv_table.hpp"

#include "models/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>

namespace nocturne {

namespace {

/// A number if all of the text is one, or else the text; null if it is empty. SQLite has 0 and 1 for a flag.
nlohmann::ordered_json cell_value(const std::string& text, bool is_flag)
{
    if (text.empty())
        return nullptr;
    if (is_flag && (text == "true" || text == "1"))
        return true;
    if (is_flag && (text == "false" || text == "0"))
        return false;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
    // "00" and "+5" are names.
    const bool is_name = text.size() > 1 && text[0] == '0' && text[1] != '.' && text[1] != 'e';
    return is_number && !is_name ? nlohmann::ordered_json(number) : nlohmann::ordered_json(text);
}

/// Fields by the keys of their columns, the first kind that has one.
std::map<std::string, FieldDescription> fields_by_name(std::span<const ResultDescription* const> kinds)
{
    std::map<std::string, FieldDescription> fields;
    for (const ResultDescription* const kind : with_parts(kinds))
        for (const FieldDescription& field : kind->fields)
            fields.emplace(field.name, field);
    return fields;
}

/// The column in which all rows say the same; one past the last if there is none.
std::size_t constant_column(std::span<const std::vector<std::string>> rows, std::string_view name)
{
    const auto& header = rows.front();
    const auto column = static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
    const bool is_constant = column < header.size() && rows.size() > 1 &&
                             std::all_of(rows.begin() + 1, rows.end(),
                                         [&](const auto& row) { return row[column] == rows[1][column]; });
    return is_constant ? column : header.size();
}

/// Rows of a table by the keys of its columns.
using KeyedRow = std::map<std::string, nlohmann::ordered_json>;

bool has_rows(const ResultDescription& kind)
{
    return std::ranges::any_of(kind.fields, [](const auto& field) { return field.shown == Shown::as_rows; });
}

/// The fields that are cells of each row; all others null.
nlohmann::ordered_json cells_of(const ResultDescription& kind, const std::string& before, const KeyedRow& row)
{
    nlohmann::ordered_json result = nlohmann::ordered_json::object();
    for (const FieldDescription& field : kind.fields) {
        nlohmann::ordered_json& value = result[field.name] = nullptr;
        if (field.kind == FieldKind::object) {
            value = cells_of(field.parts(), before + field.name + '_', row);
            if (std::ranges::all_of(value, [](const auto& member) { return member.is_null(); }))
                value = nullptr;
        } else if (const auto found = row.find(before + field.name);
                   found != row.end() &&
                   field.kind != FieldKind::list) { // a cell of the same name is of a part
            value = found->second;
        }
    }
    return result;
}

nlohmann::ordered_json result_of_rows(const ResultDescription& kind, std::span<const KeyedRow> rows)
{
    nlohmann::ordered_json result = cells_of(kind, "", rows.front());
    for (const FieldDescription& field : kind.fields) {
        if (field.shown != Shown::as_rows)
            continue;
        const ResultDescription& part = field.parts();
        result[field.name] = nlohmann::ordered_json::array();
        for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
            const nlohmann::ordered_json cells = cells_of(part, "", rows[first]);
            for (++end; has_rows(part) && end < rows.size() && cells_of(part, "", rows[end]) == cells;)
                ++end;
            result[field.name].push_back(result_of_rows(part, rows.subspan(first, end - first)));
        }
    }
    return result;
}

/// The columns that only parts of the results inside have (Shown::as_parts): a row with one is of a part.
void add_columns_of_parts(const ResultDescription& kind, std::vector<std::string>& keys)
{
    ResultDescription whole{"", "", {}};
    for (const FieldDescription& field : kind.fields) {
        if (field.shown == Shown::as_rows)
            add_columns_of_parts(field.parts(), keys);
        if (field.shown != Shown::as_parts)
            whole.fields.push_back(field);
    }
    const std::vector<Column> own = columns_of(whole);
    for (const Column& column : columns_of(kind))
        if (std::ranges::find(own, column.key, &Column::key) == own.end())
            keys.push_back(column.key);
}

} // namespace

std::vector<std::vector<std::string>> csv_rows(std::string_view text, std::string_view origin)
{
    std::vector<std::vector<std::string>> rows;
    while (!text.empty()) {
        const bool is_empty = text.starts_with('\n') || text.starts_with("\r\n");
        try {
            rows.push_back(take_csv_record(text));
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}: row {}: {}", origin, rows.size() + 1, error.what()));
        }
        if (is_empty)
            rows.pop_back();
        else if (rows.back().size() != rows.front().size())
            throw std::runtime_error(fmt::format("{}: row {} has {} fields, the first has {}", origin,
                                                 rows.size(), rows.back().size(), rows.front().size()));
    }
    return rows;
}

nlohmann::ordered_json csv_json(std::string_view text, std::string_view origin,
                                std::span<const ResultDescription* const> kinds)
{
    while (text.starts_with("# ")) // a comment
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    const std::vector<std::vector<std::string>> rows = csv_rows(text, origin);
    if (rows.empty())
        throw std::runtime_error(fmt::format("{}: no table", origin));
    return table_json(rows, kinds);
}

nlohmann::ordered_json table_json(std::span<const std::vector<std::string>> rows,
                                  std::span<const ResultDescription* const> kinds)
{
    const auto fields = fields_by_name(kinds);
    const std::size_t version = constant_column(rows, "version"), command = constant_column(rows, "command");
    const auto is_shown = [&](std::size_t i) { return i != version && i != command; };
    nlohmann::ordered_json table{{"columns", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()},
                                 {"made_by", nullptr}};
    std::vector<bool> are_flags;
    for (std::size_t i = 0; i < rows.front().size(); ++i) {
        const auto found = fields.find(rows.front()[i]);
        const FieldDescription field = found == fields.end() ? FieldDescription{} : found->second;
        are_flags.push_back(found != fields.end() && field.kind == FieldKind::flag);
        if (is_shown(i))
            table["columns"].push_back(
                {{"name", rows.front()[i]}, {"unit", field.unit}, {"meaning", field.meaning}});
    }
    for (std::size_t r = 1; r < rows.size(); ++r) {
        nlohmann::ordered_json& row = table["rows"].emplace_back(nlohmann::ordered_json::array());
        for (std::size_t i = 0; i < rows[r].size(); ++i)
            if (is_shown(i))
                row.push_back(cell_value(rows[r][i], are_flags[i]));
    }
    if (version < rows.front().size())
        table["made_by"]["version"] = rows[1][version];
    if (command < rows.front().size())
        table["made_by"]["command"] = rows[1][command];
    return table;
}

std::optional<nlohmann::ordered_json> result_of_table(const nlohmann::ordered_json& table,
                                                      const ResultDescription& kind)
{
    const std::vector<Column> columns = columns_of(kind);
    const nlohmann::ordered_json& names = table.at("columns");
    if (names.size() != columns.size())
        return std::nullopt;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (names[i].at("name") != columns[i].key)
            return std::nullopt;
    std::vector<std::string> of_parts;
    add_columns_of_parts(kind, of_parts);
    std::vector<KeyedRow> rows;
    for (const nlohmann::ordered_json& cells : table.at("rows")) {
        KeyedRow row;
        for (std::size_t i = 0; i < columns.size(); ++i)
            row[columns[i].key] = cells[i];
        if (std::ranges::all_of(of_parts, [&](const std::string& key) { return row[key].is_null(); }))
            rows.push_back(std::move(row));
    }
    return rows.empty() ? std::nullopt : std::optional(result_of_rows(kind, rows));
}

} // namespace nocturne
