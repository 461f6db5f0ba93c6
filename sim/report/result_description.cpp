#include "sim/report/result_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace nocturne {

namespace {

/// Digits after the point on the terminal, by what they are of.
int digits_of(std::string_view unit)
{
    constexpr std::pair<std::string_view, int> digits[] = {
        {"ns", 1}, {"%", 1}, {"cycles", 2}, {"clocks", 1}, {"s", 3}, {"hops", 3}, {"bytes", 0}, {"us", 2}};
    const auto* const found = std::ranges::find(digits, unit, &std::pair<std::string_view, int>::first);
    return found == std::end(digits) ? 4 : found->second;
}

std::string in_words(std::string name)
{
    std::ranges::replace(name, '_', ' ');
    return name;
}

/// `hop overhead` of `hop_overhead_ns`.
std::string heading_of(const FieldDescription& field)
{
    std::string heading = field.name;
    const std::string suffix = '_' + column_key({field.unit, ""});
    if (!field.unit.empty() && heading.ends_with(suffix))
        heading.resize(heading.size() - suffix.size());
    return in_words(heading);
}

bool is_plain(FieldKind kind)
{
    return kind == FieldKind::text || kind == FieldKind::flag || kind == FieldKind::number;
}

bool is_whole_with_rows(const ResultDescription& result)
{
    return std::ranges::any_of(result.fields,
                               [](const auto& field) { return field.shown == Shown::as_rows; });
}

void append_columns(const ResultDescription& result, const std::string& before, bool on_terminal,
                    std::vector<Column>& columns)
{
    const bool has_rows = is_whole_with_rows(result);
    for (const FieldDescription& field : result.fields) {
        const bool is_shown = on_terminal && field.shown != Shown::in_files;
        if (is_plain(field.kind))
            columns.push_back({.name = before.empty() ? heading_of(field) : before + heading_of(field),
                               .unit = field.unit,
                               .align = field.kind == FieldKind::number ? Align::right : Align::left,
                               .key = column_key({before + field.name, ""}),
                               .on_terminal = is_shown,
                               .folds = has_rows});
        else if (field.kind == FieldKind::object)
            append_columns(field.parts(), before + heading_of(field) + ' ', is_shown, columns);
    }
    for (const FieldDescription& field : result.fields)
        if (field.shown == Shown::as_rows)
            append_columns(field.parts(), before, on_terminal, columns);
    for (const FieldDescription& field : result.fields)
        if (field.shown == Shown::as_parts)
            for (Column& column : columns_of(field.parts()))
                if (std::ranges::find(columns, column.key, &Column::key) == columns.end())
                    columns.push_back(std::move(column));
}

Cell cell_of(const nlohmann::ordered_json& value, std::string_view unit)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number_integer())
        return value.get<std::uint64_t>();
    if (value.is_number())
        return Real{value.get<double>(), digits_of(unit)};
    return {};
}

const nlohmann::ordered_json& member_of(const nlohmann::ordered_json& json, const std::string& name)
{
    static const nlohmann::ordered_json nothing;
    const auto found = json.find(name);
    return found == json.end() ? nothing : *found;
}

void append_cells(const ResultDescription& result, const nlohmann::ordered_json& json,
                  std::vector<Cell>& cells)
{
    for (const FieldDescription& field : result.fields)
        if (is_plain(field.kind))
            cells.push_back(cell_of(member_of(json, field.name), field.unit));
        else if (field.kind == FieldKind::object)
            append_cells(field.parts(), member_of(json, field.name), cells);
}

/// What is known of the whole stands before it, but for what this result says of itself.
std::vector<Cell> row_of_part(const ResultDescription& result, const ResultDescription& kind,
                              const nlohmann::ordered_json& part, std::vector<Cell> before)
{
    const std::vector<Column> columns = columns_of(result);
    const std::vector<Column> own = columns_of(kind);
    const std::vector<Cell> cells = rows_of(kind, part).front();
    const std::size_t first = before.size();
    before.resize(first + columns.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        const auto place = std::ranges::find(columns, own[i].key, &Column::key) - columns.begin();
        before[first + static_cast<std::size_t>(place)] = cells[i];
    }
    return before;
}

void append_rows(const ResultDescription& result, const nlohmann::ordered_json& json,
                 std::vector<Cell> before, std::vector<std::vector<Cell>>& rows)
{
    const std::size_t length = before.size() + columns_of(result).size();
    const std::size_t rows_before = rows.size();
    const std::vector<Cell> whole = before;
    append_cells(result, json, before);
    for (const FieldDescription& field : result.fields)
        if (field.shown == Shown::as_rows)
            for (const nlohmann::ordered_json& row : member_of(json, field.name))
                append_rows(field.parts(), row, before, rows);
    if (rows.size() == rows_before) {
        before.resize(length);
        rows.push_back(std::move(before));
    }
    for (const FieldDescription& field : result.fields)
        if (field.shown == Shown::as_parts)
            for (const nlohmann::ordered_json& part : member_of(json, field.name))
                rows.push_back(row_of_part(result, field.parts(), part, whole));
}

void append_figures(const ResultDescription& result, const nlohmann::ordered_json& json,
                    const std::string& before, std::vector<Figure>& figures)
{
    for (const FieldDescription& field : result.fields) {
        const nlohmann::ordered_json& value = member_of(json, field.name);
        if (value.is_null() || field.shown == Shown::in_files || is_left_out_if_empty(field.shown))
            continue;
        std::string text;
        if (field.kind == FieldKind::object)
            append_figures(field.parts(), value, before + in_words(field.name) + ' ', figures);
        else if (field.kind == FieldKind::list)
            for (const nlohmann::ordered_json& each : value)
                text += (text.empty() ? "" : ", ") + cell_text(cell_of(each, field.unit));
        else if (is_plain(field.kind))
            text = cell_text(cell_of(value, field.unit));
        // `time 5 ns`, but `maximum hops 4`: what is counted is part of the name.
        constexpr std::array measures{"cycles", "ns", "s", "GB/s"};
        const bool is_measure = std::ranges::find(measures, field.unit) != measures.end();
        const std::string name = is_measure ? heading_of(field) : in_words(field.name);
        const bool says_unit = field.unit.empty() || field.unit == field.name ||
                               (!is_measure && heading_of(field) != in_words(field.name));
        if (!text.empty())
            figures.push_back({before + name, says_unit ? text : text + ' ' + field.unit});
    }
}

/// As GitHub makes them of headings.
std::string anchor_of(std::string heading)
{
    std::ranges::replace(heading, ' ', '-');
    return heading;
}

void append_parts(const ResultDescription& result, std::vector<const ResultDescription*>& all)
{
    if (std::ranges::find(all, &result) != all.end())
        return;
    all.push_back(&result);
    for (const FieldDescription& field : result.fields)
        if (field.parts != nullptr)
            append_parts(field.parts(), all);
}

} // namespace

std::vector<Column> columns_of(const ResultDescription& result)
{
    std::vector<Column> columns;
    append_columns(result, "", true, columns);
    return columns;
}

std::vector<std::vector<Cell>> rows_of(const ResultDescription& result, const nlohmann::ordered_json& json)
{
    std::vector<std::vector<Cell>> rows;
    if (json.is_array())
        for (const nlohmann::ordered_json& each : json)
            append_rows(result, each, {}, rows);
    else
        append_rows(result, json, {}, rows);
    return rows;
}

Table result_table(std::string title, const ResultDescription& result, const nlohmann::ordered_json& json)
{
    return {std::move(title), columns_of(result), rows_of(result, json)};
}

nlohmann::ordered_json in_order(const ResultDescription& result, const nlohmann::ordered_json& json)
{
    if (!json.is_object())
        return json;
    nlohmann::ordered_json ordered = nlohmann::ordered_json::object();
    for (const FieldDescription& field : result.fields) {
        const auto member = json.find(field.name);
        if (member == json.end())
            continue;
        nlohmann::ordered_json& value = ordered[field.name] = *member;
        if (field.kind == FieldKind::object)
            value = in_order(field.parts(), value);
        if (field.kind == FieldKind::rows)
            for (nlohmann::ordered_json& row : value)
                row = in_order(field.parts(), row);
    }
    return ordered;
}

std::vector<Figure> figures_of(const ResultDescription& result, const nlohmann::ordered_json& json)
{
    std::vector<Figure> figures;
    append_figures(result, json, "", figures);
    return figures;
}

std::vector<const ResultDescription*> with_parts(std::span<const ResultDescription* const> results)
{
    std::vector<const ResultDescription*> all;
    for (const ResultDescription* const result : results)
        append_parts(*result, all);
    return all;
}

nlohmann::ordered_json results_json(std::span<const ResultDescription* const> results)
{
    constexpr const char* names_of_kinds[] = {"text", "flag", "number", "list", "object", "rows"};
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ResultDescription* const result : with_parts(results)) {
        nlohmann::ordered_json fields = nlohmann::ordered_json::array();
        for (const FieldDescription& field : result->fields)
            fields.push_back(
                {{"name", field.name},
                 {"unit", field.unit},
                 {"meaning", field.meaning},
                 {"kind", names_of_kinds[static_cast<std::size_t>(field.kind)]},
                 {"is_table", field.shown == Shown::as_rows},
                 {"parts", field.parts == nullptr ? nlohmann::ordered_json()
                                                  : nlohmann::ordered_json(field.parts().name)}});
        list.push_back({{"name", result->name},
                        {"meaning", result->meaning},
                        {"is_printed", std::ranges::find(results, result) != results.end()},
                        {"fields", std::move(fields)}});
    }
    return {{"results", std::move(list)}};
}

std::string results_page(std::span<const ResultDescription* const> results)
{
    std::string page;
    for (const ResultDescription* const result : with_parts(results)) {
        page += fmt::format("\n## {}\n\n{}\n\n| field | unit | meaning |\n| --- | --- | --- |\n",
                            result->name, result->meaning);
        for (const FieldDescription& field : result->fields) {
            std::string parts;
            if (field.parts != nullptr)
                parts = fmt::format(" {} [{}](#{}).", field.kind == FieldKind::rows ? "Each:" : "See",
                                    field.parts().name, anchor_of(field.parts().name));
            page += fmt::format("| `{}` | {} | {}{} |\n", field.name, field.unit, field.meaning, parts);
        }
    }
    return page;
}

} // namespace nocturne
