#include "models/text/nanoseconds.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace nocturne {

std::optional<double> nanoseconds_of(std::string_view text)
{
    static constexpr std::array units{std::pair{"ms", 1e6}, std::pair{"us", 1e3}, std::pair{"ns", 1.0},
                                      std::pair{"ps", 1e-3}, std::pair{"s", 1e9}};
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const auto found =
        std::ranges::find(units, unit, [](const auto& each) { return std::string_view(each.first); });
    if (error != std::errc() || found == units.end() || !(number >= 0 && number * found->second <= 1e9))
        return std::nullopt;
    return number * found->second;
}

} // namespace nocturne
