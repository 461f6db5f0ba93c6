#include "sim/imports/link_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace nocturne {

namespace {

/// Takes `word` off the beginning of the text, if it is there.
bool take_word(std::string_view& text, std::string_view word)
{
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

/// 1000 or 1024 to the power of the prefix, which is taken off.
double take_prefix(std::string_view& text)
{
    static constexpr std::array prefixes{std::pair{'k', 1}, std::pair{'K', 1}, std::pair{'M', 2},
                                         std::pair{'G', 3}, std::pair{'T', 4}};
    for (const auto& [letter, power] : prefixes)
        if (take_word(text, std::string_view(&letter, 1)))
            return std::pow(take_word(text, "i") ? 1024.0 : 1000.0, power);
    return 1;
}

} // namespace

std::optional<LinkRate> parse_link_rate(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    double bytes = number * take_prefix(text);
    if (take_word(text, "bit") || take_word(text, "b"))
        bytes /= 8;
    else if (!take_word(text, "B"))
        return std::nullopt;
    if (text != "/s" && text != "ps")
        return std::nullopt;
    if (!(bytes >= 1000 && bytes <= 1000.0 * most_link_rate))
        return std::nullopt;
    return static_cast<LinkRate>(std::llround(bytes / 1000));
}

std::string shown_rate(LinkRate rate)
{
    return fmt::format("{:.6g} GB/s", static_cast<double>(rate) / gb_per_s);
}

LinkRate pcie_rate(double gigatransfers, unsigned lanes)
{
    struct Generation {
        double gigatransfers;
        LinkRate lane;
    };
    static constexpr std::array generations{Generation{64, 7'562'500}, Generation{32, 3'937'500},
                                            Generation{16, 1'968'750}, Generation{8, 984'375},
                                            Generation{5, 500'000},    Generation{2.5, 250'000}};
    for (const Generation& generation : generations)
        if (gigatransfers >= generation.gigatransfers)
            return generation.lane * lanes;
    return 0;
}

unsigned LinkClock::width_of(LinkRate rate) const
{
    const double width = static_cast<double>(rate) * cycle_ns / gb_per_s;
    return static_cast<unsigned>(std::max(1.0, std::round(width)));
}

LinkClock clock_for(std::span<const LinkRate> rates)
{
    LinkRate unit = gb_per_s;
    for (const LinkRate rate : rates)
        unit = std::gcd(unit, rate);
    if (gb_per_s / unit <= 1000)
        return {.cycle_ns = static_cast<unsigned>(gb_per_s / unit), .error = 0};
    LinkClock clock;
    for (const unsigned cycle_ns : {1u, 10u, 100u, 1000u}) {
        clock = {.cycle_ns = cycle_ns, .error = 0};
        for (const LinkRate rate : rates) {
            const double exact = static_cast<double>(rate) * cycle_ns / gb_per_s;
            clock.error = std::max(clock.error, std::abs(clock.width_of(rate) / exact - 1));
        }
        if (clock.error <= 0.001)
            break;
    }
    return clock;
}

} // namespace nocturne
