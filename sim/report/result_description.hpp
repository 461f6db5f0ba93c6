// What is said of results, whatever their types in C++: of each field its name, unit and meaning. Tables, and
// the page of the documentation, are made of JSON and this.
#pragma once

#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

enum class FieldKind {
    text,
    flag,
    number,
    list,   ///< of plain values
    object, ///< a result inside the result
    rows,   ///< a list of results
};

enum class Shown {
    everywhere,
    in_files, ///< not on the terminal
    if_any,   ///< a list that JSON has only if it is not empty
    as_rows,  ///< a list of results, each a row of the tables, behind the other fields of the whole
    as_parts, ///< as if_any, of results, each a row of the tables below that of the whole, in the columns of
              ///< the same names and in some of their own
};

/// A list that JSON has only if it is not empty.
constexpr bool is_left_out_if_empty(Shown shown)
{
    return shown == Shown::if_any || shown == Shown::as_parts;
}

struct ResultDescription;

struct FieldDescription {
    std::string name; ///< in JSON, CSV, SQLite and Python: `time_ns`, what it counts or measures and the unit
    std::string unit; ///< `ns`, `flits/cycle`, `%`; empty for text, flags and plain counts
    std::string meaning; ///< one sentence
    FieldKind kind = FieldKind::text;
    Shown shown = Shown::everywhere;
    const ResultDescription& (*parts)() = nullptr; ///< of objects and rows
};

struct ResultDescription {
    std::string name; ///< `traffic`; what the member "result" of a command's JSON says
    std::string meaning;
    std::vector<FieldDescription> fields;
};

/// The columns that such results have: a field each, with the name of the object before it where it is in
/// one, the fields of rows behind those of the whole, and last the fields that only parts have.
std::vector<Column> columns_of(const ResultDescription& result);

/// The rows of one result, or of an array of them, as JSON: one for each of the results inside it that are
/// Shown::as_rows, or a single one if there are none, and below it one for each that is Shown::as_parts. A
/// value that is not there is an empty cell.
std::vector<std::vector<Cell>> rows_of(const ResultDescription& result, const nlohmann::ordered_json& json);

/// Both as a table.
Table result_table(std::string title, const ResultDescription& result, const nlohmann::ordered_json& json);

/// The members in the order of the fields.
nlohmann::ordered_json in_order(const ResultDescription& result, const nlohmann::ordered_json& json);

/// A figure in words.
struct Figure {
    std::string name;  ///< `lower bound`
    std::string value; ///< `7 steps`, `yes`, `a, b`
};

/// Of one result those that are shown on a terminal and are not null, with those of its objects; an empty
/// list and rows say nothing.
std::vector<Figure> figures_of(const ResultDescription& result, const nlohmann::ordered_json& json);

/// The results, and all results inside them: each once, parts behind the first whole.
std::vector<const ResultDescription*> with_parts(std::span<const ResultDescription* const> results);

/// All that is said of them for programs: `{"results": [{"name", "meaning", "is_printed", "fields": [{"name",
/// "unit", "meaning", "kind", "is_table", "parts"}]}]}`. Is printed: it is one of `results`, not only inside
/// one; is a table: Shown::as_rows; parts: the name of the results inside a field, or null.
nlohmann::ordered_json results_json(std::span<const ResultDescription* const> results);

/// `nocturne man results`: a section for each result with a table of its fields, in Markdown.
std::string results_page(std::span<const ResultDescription* const> results);

} // namespace nocturne
