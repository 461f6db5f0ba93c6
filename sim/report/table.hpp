// One table value for the terminal, for CSV and for JSON. Printing takes a stream and knows nothing of what
// is measured.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace nocturne {

enum class Align { left, right };

struct Column {
    std::string name; ///< as a person reads it: `hop overhead`
    std::string unit; ///< `ns`, `bytes`, `%`; empty for a pure number or text
    Align align = Align::right;
};

/// A real number; the terminal shows `digits` digits after the point, CSV and JSON every digit it has.
struct Real {
    double value;
    int digits = 1;

    friend bool operator==(const Real&, const Real&) = default;
};

/// Nothing (`-` on the terminal), text, a count, or a real number.
using Cell = std::variant<std::monostate, std::string, std::uint64_t, Real>;

struct Table {
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows; ///< each as long as `columns`

    /// Throws std::invalid_argument unless there is one cell a column.
    void add_row(std::vector<Cell> row);
};

/// The columns of both, which have the same number of rows; the title of the first.
Table beside(Table table, const Table& more);

/// The table for a terminal: text columns that say the same in every row go into the title, `Replay (topology
/// omega:8, mode barrier)`. A table without rows stays as it is.
Table fold_constant_columns(const Table& table);

/// Name of a column for programs, its unit included: `hop_overhead_ns`, `t1_ns_per_byte`,
/// `utilisation_percent`.
std::string column_key(const Column& column);

/// Title, header with units in brackets, a rule, and the rows, aligned; columns count characters, not bytes
/// of UTF-8.
void print_text(std::ostream& out, const Table& table);

/// A header of keys, then the rows, quoted as RFC 4180 says, lines ending in \n. No title. An empty cell, and
/// a real number that is not finite, is an empty field.
void print_csv(std::ostream& out, const Table& table);
/// The same as a text.
std::string csv_of(const Table& table);

/// An array with one object a row, its members named by column_key(). An empty cell is null.
nlohmann::json table_json(const Table& table);

} // namespace nocturne
