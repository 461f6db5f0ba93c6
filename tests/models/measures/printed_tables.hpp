// What Marden prints (A Genetic Algorithm for Designing Parallel Processor Interconnection Networks, tables 1
// to 8), from the files beside this one.
#pragma once

#include <string>

namespace nocturne::test {

/// A column of the one row that has all of `keys` (`ring`, `64`) among its first three cells; `inf` is
/// infinite. Throws std::invalid_argument if there is no such row, or several, or no such column.
double printed(const std::string& file, std::initializer_list<const char*> keys, const std::string& column);

} // namespace nocturne::test
