#include "tests/models/measures/printed_tables.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

namespace nocturne::test {

namespace {

/// The cells of a line; a comma between quotes is no separator.
std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (const char c : line) {
        if (c == '"')
            is_quoted = !is_quoted;
        else if (c == ',' && !is_quoted)
            cells.emplace_back();
        else if (c != '\r')
            cells.back() += c;
    }
    return cells;
}

} // namespace

double printed(const std::string& file, std::initializer_list<const char*> keys, const std::string& column)
{
    std::ifstream in(std::string(PRINTED_TABLES) + "/gappin_" + file + ".csv");
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> names = cells_of(line);
    const auto place = static_cast<std::size_t>(std::ranges::find(names, column) - names.begin());
    if (place == names.size())
        throw std::invalid_argument(file + ": no column " + column);
    std::optional<double> value;
    while (std::getline(in, line)) {
        const std::vector<std::string> cells = cells_of(line);
        const auto is_there = [&](const char* key) {
            return std::find(cells.begin(), cells.begin() + 3, key) != cells.begin() + 3;
        };
        const bool fits = std::ranges::all_of(keys, is_there);
        if (!fits)
            continue;
        if (value)
            throw std::invalid_argument(file + ": several rows for " + column);
        value = std::stod(cells.at(place));
    }
    if (!value)
        throw std::invalid_argument(file + ": no row for " + column);
    return *value;
}

} // namespace nocturne::test
