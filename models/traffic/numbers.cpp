#include "models/traffic/numbers.hpp"

#include "models/text/number.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace nocturne {

std::vector<double> read_numbers(const std::string& path)
{
    std::vector<double> numbers;
    std::istringstream lines(read_file(path));
    std::size_t line_number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++line_number;
        std::string_view rest = std::string_view(line).substr(0, line.find('#'));
        constexpr std::string_view separators = " \t\r,";
        for (;;) {
            rest.remove_prefix(std::min(rest.find_first_not_of(separators), rest.size()));
            if (rest.empty())
                break;
            const std::string_view word = rest.substr(0, rest.find_first_of(separators));
            const auto number = number_of<double>(word);
            if (!number)
                throw std::runtime_error(fmt::format("{}:{}: '{}' is no number", path, line_number, word));
            numbers.push_back(*number);
            rest.remove_prefix(word.size());
        }
    }
    return numbers;
}

} // namespace nocturne
