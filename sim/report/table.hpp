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
    std::string key = {};    ///< of a field its name; empty: column_key() makes it of name and unit
    bool on_terminal = true; ///< or in files only
    bool folds = false;      ///< goes into the title on a terminal where it says the same in every row
};

/// A real number; the terminal shows `digits` digits after the point, CSV and JSON every digit it has.
struct Real {
    double value;
    int digits = 1;

    friend bool operator==(const Real&, const Real&) = default;
};

/// Nothing (`-` on the terminal), text, a count, a real number, or a flag (`yes` or `no` on the terminal).
using Cell = std::variant<std::monostate, std::string, std::uint64_t, Real, bool>;

/// As the terminal shows it.
std::string cell_text(const Cell& cell);

struct Table {
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows; ///< each as long as `columns`

    /// Throws std::invalid_argument unless there is one cell a column.
    void add_row(std::vector<Cell> row);
};

/// The table for a terminal: columns that say the same in every row, of text or Column::folds, go into the
/// title, `Replay (topology omega:8, mode barrier)`. A table without rows stays as it is.
Table fold_constant_columns(const Table& table);

/// Name of a column for programs, its unit included: `hop_overhead_ns`, `t1_ns_per_byte`,
/// `utilisation_percent`.
std::string column_key(const Column& column);

/// Without columns that are for files only, and fields (those with a key) that say nothing in any row: title,
/// header with units in brackets, a rule, and the rows, aligned; columns count characters, not bytes
/// of UTF-8. A table of more than 100 characters is printed in parts below each other, each with the texts
/// before the first number of its rows (or else their first column), and its title in several lines, unless
/// the stream has been told wide_tables.
void print_text(std::ostream& out, const Table& table);

/// For the stream, as std::boolalpha: tables have lines as long as their rows.
std::ostream& wide_tables(std::ostream& out);

/// A header of keys, then the rows, quoted as RFC 4180 says, lines ending in \n. No title. An empty cell, and
/// a real number that is not finite, is an empty field.
void print_csv(std::ostream& out, const Table& table);
/// The same as a text.
std::string csv_of(const Table& table);

/// An array with one object a row, its members named by column_key(). An empty cell is null.
nlohmann::json table_json(const Table& table);

} // namespace nocturne
