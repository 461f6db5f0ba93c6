// Tables of checks in files of text: a row a check.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace nocturne::test {

/// A row `CELL | CELL ...` of a table, below a line `== GROUP`. Empty lines and those that begin with #
/// are passed over; `NAME := TEXT` stands for $NAME from there on. A line `  | CELL` goes on with a row.
struct Row {
    std::string place; ///< file and line
    std::string group;
    std::vector<std::string> cells;
};

/// The path begins in the folder of tests.
std::vector<Row> rows_of(const std::string& path);

/// \n, \t, \xHH and \ before anything else as in C.
std::string unescaped(const std::string& text);

/// What stands between two ";;", without spaces around it.
std::vector<std::string> pieces_of(const std::string& text);

/// Each row `TEXT | PART ...`: the reader of its group refuses the text with a std::exception, whose
/// one line has all the parts, a part behind ^ at its beginning, and is the part behind =. Where the
/// group is called as a file (`net.dot`), that is named first. Each reader has a row.
void check_refusals(const std::string& path,
                    const std::map<std::string, std::function<void(const std::string&)>>& readers);

} // namespace nocturne::test
