#include "sim/cli/loads.hpp"

#include "models/text/number.hpp"
#include "models/text/number_range.hpp"
#include "models/text/unknown_name.hpp"
#include "sim/cli/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

namespace nocturne::cli {

namespace {

constexpr std::size_t most_loads = 10'000;

std::optional<double> load_of(std::string_view text)
{
    const auto load = number_of<double>(text);
    return load && std::isfinite(*load) && *load >= 0 ? load : std::nullopt;
}

} // namespace

std::vector<double> parse_loads(std::string_view text)
{
    std::vector<double> loads;
    if (text.find(':') == std::string_view::npos) {
        for (const std::string& part : parts_of(text, ',')) {
            const auto load = load_of(part);
            if (!load)
                throw std::invalid_argument(
                    fmt::format("--load {}: '{}' is no load: a number, a list A,B or a range FIRST:LAST:STEP",
                                text, part));
            loads.push_back(*load);
        }
    } else {
        try {
            const NumberRange range(text, load_of, "", most_loads);
            if (range.is_descending())
                throw std::invalid_argument(
                    fmt::format("'{}': a range of loads goes upwards", shortened(text)));
            for (std::size_t i = 0; i < range.size(); ++i)
                loads.push_back(range[i]);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(fmt::format("--load {}", error.what()));
        }
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
