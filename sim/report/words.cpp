#include "sim/report/words.hpp"

#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace nocturne {

std::string size_text(std::uint64_t bytes)
{
    constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; unit + 1 < units.size() && bytes >= 1024 && bytes % 1024 == 0; ++unit)
        bytes /= 1024;
    return fmt::format("{} {}", bytes, units.at(unit));
}

std::string short_number(double value)
{
    if (std::abs(value) >= 999.5 && std::abs(value) < 1e9)
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}", value);
}

std::string time_text(double ns)
{
    constexpr std::array units{"ns", "µs", "ms", "s"};
    std::size_t unit = 0;
    constexpr double next_unit = 999.95; // what four digits round to 1000
    for (; ns >= next_unit && unit + 1 < units.size(); ++unit)
        ns /= 1000;
    return fmt::format("{:.4g} {}", ns, units.at(unit));
}

std::string counted(std::uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string listed(std::vector<std::string> names, std::size_t most)
{
    if (names.size() > most) {
        const std::size_t others = names.size() - (most - 1);
        names.resize(most - 1);
        names.push_back(fmt::format("{} others", others));
    }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
    return text;
}

std::string beside_bound(double value, double least, std::string_view least_text, std::string_view reason)
{
    constexpr double rounding = 1e-9, least_percent = 0.01, most_in_percent = 0.1;
    const double above = value / least - 1;
    const std::string why = reason.empty() ? "" : fmt::format(" ({})", reason);
    if (above <= rounding)
        return ", the least possible" + why;
    if (100 * above < least_percent)
        return fmt::format(", less than {} % above the lower bound of {}{}", least_percent, least_text, why);
    if (above < most_in_percent)
        return fmt::format(", {:.2g} % above the lower bound of {}{}", 100 * above, least_text, why);
    return fmt::format(", {:.3g} times the lower bound of {}{}", 1 + above, least_text, why);
}

std::string collective_text(std::string_view name)
{
    constexpr std::array words{std::pair{"alltoall", "all-to-all"}, std::pair{"allgather", "all-gather"},
                               std::pair{"allreduce", "all-reduce"}};
    for (const auto& [one, other] : words)
        if (name.starts_with(one))
            return std::string(other).append(name.substr(std::string_view(one).size()));
    return std::string(name);
}

std::string subject_of(const nlohmann::ordered_json& result)
{
    const std::string collective = collective_text(text_in(result, "collective")),
                      topology = text_in(result, "topology");
    return collective.empty() || topology.empty() ? collective + topology : collective + " on " + topology;
}

} // namespace nocturne
