#include "sim/report/table.hpp"

#include "models/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace nocturne {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// Names come from files: what would move a terminal's cursor or change its state becomes a space.
std::string printable(std::string text)
{
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text;
}

/// What is too small for its digits is not shown as 0.
std::string text_of(Real real)
{
    const double least = 0.5 * std::pow(10, -real.digits);
    return real.value != 0 && std::abs(real.value) < least ? fmt::format("{:.2g}", real.value)
                                                           : fmt::format("{:.{}f}", real.value, real.digits);
}

} // namespace

std::string cell_text(const Cell& cell)
{
    return std::visit(Overloaded{[](std::monostate) { return std::string("-"); },
                                 [](const std::string& text) { return printable(text); },
                                 [](std::uint64_t count) { return fmt::format("{}", count); },
                                 [](Real real) { return text_of(real); },
                                 [](bool flag) { return std::string(flag ? "yes" : "no"); }},
                      cell);
}

namespace {

std::string csv_field(const Cell& cell)
{
    return std::visit(Overloaded{[](std::monostate) { return std::string(); },
                                 [](const std::string& text) { return csv_quoted(text); },
                                 [](std::uint64_t count) { return fmt::format("{}", count); },
                                 [](Real real) {
                                     return std::isfinite(real.value) ? fmt::format("{}", real.value)
                                                                      : std::string();
                                 },
                                 [](bool flag) { return std::string(flag ? "true" : "false"); }},
                      cell);
}

nlohmann::json json_value(const Cell& cell)
{
    return std::visit(Overloaded{[](std::monostate) { return nlohmann::json(); },
                                 [](const std::string& text) { return nlohmann::json(text); },
                                 [](std::uint64_t count) { return nlohmann::json(count); },
                                 [](Real real) { return nlohmann::json(real.value); },
                                 [](bool flag) { return nlohmann::json(flag); }},
                      cell);
}

std::size_t characters(std::string_view utf8)
{
    const auto starts = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), starts));
}

using Line = std::vector<std::string>;

void print_line(std::ostream& out, const std::vector<Column>& columns, const Line& cells,
                const std::vector<std::size_t>& widths)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string padding(widths[i] - characters(cells[i]), ' ');
        line += i == 0 ? "" : "  ";
        line += columns[i].align == Align::right ? padding + cells[i] : cells[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

std::vector<std::string> words_of(const Column& column)
{
    std::vector<std::string> words;
    std::istringstream text(column.name);
    for (std::string word; text >> word;)
        words.push_back(word);
    if (!column.unit.empty())
        words.push_back('(' + column.unit + ')');
    return words;
}

/// The words in lines of at most `width` characters; a word that is longer has a line of its own.
std::vector<std::string> wrapped(const std::vector<std::string>& words, std::size_t width)
{
    std::vector<std::string> lines;
    for (const std::string& word : words) {
        if (lines.empty() || characters(lines.back()) + 1 + characters(word) > width)
            lines.push_back(word);
        else
            lines.back() += ' ' + word;
    }
    return lines;
}

/// Headers wrapped to the width of their columns, standing on the rule below them.
std::vector<Line> header_lines(const std::vector<Column>& columns, const std::vector<std::size_t>& widths)
{
    std::vector<std::vector<std::string>> headers;
    std::size_t height = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        headers.push_back(wrapped(words_of(columns[i]), widths[i]));
        height = std::max(height, headers.back().size());
    }
    std::vector<Line> lines(height, Line(widths.size()));
    for (std::size_t i = 0; i < headers.size(); ++i)
        for (std::size_t k = 0; k < headers[i].size(); ++k)
            lines[height - headers[i].size() + k][i] = headers[i][k];
    return lines;
}

bool says_something(const Table& table, std::size_t column)
{
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const std::vector<Cell>& row) { return row[column] != Cell(); });
}

/// Where a stream keeps whether it has been told wide_tables.
int width_flag()
{
    static const int index = std::ios_base::xalloc();
    return index;
}

std::vector<std::size_t> widths_of(const Table& table)
{
    std::vector<std::size_t> widths(table.columns.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
        for (const std::string& word : words_of(table.columns[i]))
            widths[i] = std::max(widths[i], characters(word));
        for (const auto& row : table.rows)
            widths[i] = std::max(widths[i], characters(cell_text(row[i])));
    }
    return widths;
}

/// The columns in parts that are not wider than `most`, or have one column beside those that name the rows.
std::vector<std::vector<std::size_t>> parts_within(const Table& table, const std::vector<std::size_t>& widths,
                                                   std::size_t most)
{
    constexpr std::size_t gap = 2;
    std::vector<std::size_t> names; // of the rows, in every part
    while (names.size() < table.columns.size() && table.columns[names.size()].align == Align::left)
        names.push_back(names.size());
    if (names.empty() && !table.columns.empty())
        names.push_back(0);
    std::size_t names_width = 0;
    for (const std::size_t i : names)
        names_width += widths[i] + gap;
    std::vector<std::vector<std::size_t>> parts{names};
    std::size_t width = names_width;
    for (std::size_t i = names.size(); i < table.columns.size(); ++i) {
        if (width + widths[i] > most && parts.back().size() > names.size()) {
            parts.push_back(names);
            width = names_width;
        }
        parts.back().push_back(i);
        width += widths[i] + gap;
    }
    return parts;
}

/// Header, rule and rows of these columns.
void print_columns(std::ostream& out, const Table& table, const std::vector<std::size_t>& all_widths,
                   const std::vector<std::size_t>& chosen)
{
    std::vector<Column> columns;
    std::vector<std::size_t> widths;
    Line rule;
    for (const std::size_t i : chosen) {
        columns.push_back(table.columns[i]);
        widths.push_back(all_widths[i]);
        rule.emplace_back(all_widths[i], '-');
    }
    for (const Line& line : header_lines(columns, widths))
        print_line(out, columns, line, widths);
    print_line(out, columns, rule, widths);
    for (const auto& row : table.rows) {
        Line line;
        for (const std::size_t i : chosen)
            line.push_back(cell_text(row[i]));
        print_line(out, columns, line, widths);
    }
}

template <class Keep>
Table with_columns(const Table& table, Keep keeps)
{
    Table result{table.title, {}, std::vector<std::vector<Cell>>(table.rows.size())};
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!keeps(i))
            continue;
        result.columns.push_back(table.columns[i]);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            result.rows[row].push_back(table.rows[row][i]);
    }
    return result;
}

} // namespace

void Table::add_row(std::vector<Cell> row)
{
    if (row.size() != columns.size())
        throw std::invalid_argument(
            fmt::format("table {}: a row of {} cells for {} columns", title, row.size(), columns.size()));
    rows.push_back(std::move(row));
}

Table fold_constant_columns(const Table& table)
{
    std::string constants;
    Table folded = with_columns(table, [&](std::size_t i) {
        const Column& column = table.columns[i];
        const auto is_word = [](const Cell& cell) {
            return std::holds_alternative<std::string>(cell) || std::holds_alternative<bool>(cell);
        };
        const bool is_constant =
            says_something(table, i) && (column.folds || is_word(table.rows[0][i])) &&
            std::all_of(table.rows.begin(), table.rows.end(),
                        [&](const std::vector<Cell>& row) { return row[i] == table.rows[0][i]; });
        if (is_constant && column.on_terminal)
            constants += fmt::format("{}{} {}", constants.empty() ? "" : ", ", column.name,
                                     cell_text(table.rows[0][i]));
        return !is_constant;
    });
    if (!constants.empty())
        folded.title = table.title.empty() ? constants : fmt::format("{} ({})", table.title, constants);
    return folded;
}

std::string column_key(const Column& column)
{
    std::string key = column.key;
    if (!key.empty())
        return key;
    const std::string text = column.unit.empty() ? column.name : column.name + ' ' + column.unit;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (c == '/')
            key += "_per_";
        else if (c == '%')
            key += "percent";
        else if (!key.empty() && key.back() != '_')
            key += '_';
    }
    return key;
}

std::ostream& wide_tables(std::ostream& out)
{
    out.iword(width_flag()) = 1;
    return out;
}

void print_text(std::ostream& out, const Table& all)
{
    const Table table = with_columns(all, [&](std::size_t i) {
        const bool is_field = !all.columns[i].key.empty();
        return all.columns[i].on_terminal && (!is_field || all.rows.empty() || says_something(all, i));
    });
    const std::size_t most = out.iword(width_flag()) != 0 ? std::numeric_limits<std::size_t>::max() : 100;
    if (!table.title.empty())
        for (const std::string& line : wrapped(words_of(Column{printable(table.title), ""}), most))
            out << line << '\n';
    const std::vector<std::size_t> widths = widths_of(table);
    const std::vector<std::vector<std::size_t>> parts = parts_within(table, widths, most);
    for (const std::vector<std::size_t>& part : parts) {
        if (&part != &parts.front())
            out << '\n';
        print_columns(out, table, widths, part);
    }
}

void print_csv(std::ostream& out, const Table& table)
{
    const auto separator = [](std::size_t i) { return i == 0 ? "" : ","; };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        out << separator(i) << csv_quoted(column_key(table.columns[i]));
    out << '\n';
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out << separator(i) << csv_field(row[i]);
        out << '\n';
    }
}

std::string csv_of(const Table& table)
{
    std::ostringstream text;
    print_csv(text, table);
    return text.str();
}

nlohmann::json table_json(const Table& table)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& row : table.rows) {
        nlohmann::json object = nlohmann::json::object();
        for (std::size_t i = 0; i < row.size(); ++i)
            object[column_key(table.columns[i])] = json_value(row[i]);
        rows.push_back(std::move(object));
    }
    return rows;
}

} // namespace nocturne
