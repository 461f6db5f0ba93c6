#include "sim/cli/loads.hpp"

#include "models/text/number.hpp"
#include "sim/cli/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace nocturne::cli {

namespace {

constexpr double most_loads = 10'000;

std::vector<double> numbers_of(std::string_view text, char separator)
{
    std::vector<double> numbers;
    for (const std::string& part : parts_of(text, separator)) {
        const auto number = number_of<double>(part);
        if (!number || !std::isfinite(*number) || *number < 0)
            throw std::invalid_argument(fmt::format(
                "--load {}: '{}' is no load: a number, a list A,B or a range FIRST:STEP:LAST", text, part));
        numbers.push_back(*number);
    }
    return numbers;
}

} // namespace

std::vector<double> parse_loads(std::string_view text)
{
    std::vector<double> loads;
    if (text.find(':') == std::string_view::npos) {
        loads = numbers_of(text, ',');
    } else {
        const std::vector<double> range = numbers_of(text, ':');
        if (range.size() != 3 || range[1] <= 0 || range[2] < range[0])
            throw std::invalid_argument(fmt::format("--load {}: a range is FIRST:STEP:LAST, upwards", text));
        // The last one counts although 0.02 * 20 is not quite 0.4.
        const double steps = std::floor((range[2] - range[0]) / range[1] + 1e-9);
        if (steps >= most_loads)
            throw std::invalid_argument(fmt::format("--load {}: more than {} loads", text, most_loads));
        for (double step = 0; step <= steps; ++step)
            // Twelve digits: 0.06 and not 0.060000000000000005.
            loads.push_back(std::stod(fmt::format("{:.12g}", range[0] + step * range[1])));
    }
    std::sort(loads.begin(), loads.end());
    loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
    return loads;
}

void check_loads(std::string_view text)
{
    if (text != rates_of_application)
        parse_loads(text);
}

} // namespace nocturne::cli
