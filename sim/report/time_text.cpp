#include "sim/report/time_text.hpp"

#include <fmt/format.h>

#include <array>

namespace nocturne {

std::string time_text(double ns)
{
    constexpr std::array units{"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    constexpr double next_unit = 999.95; // what four digits round to 1000
    for (; ns >= next_unit && unit + 1 < units.size(); ++unit)
        ns /= 1000;
    return fmt::format("{:.4g} {}", ns, units[unit]);
}

} // namespace nocturne
