#include "sim/cli/sizes.hpp"

#include "models/text/unknown_name.hpp"
#include "sim/cli/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace {

constexpr std::uint64_t largest_message = 1ull << 30;

/// The power of two that a unit stands for: `K` and `KiB` are 1024. Nothing for what is no unit, `kB` with
/// its two meanings among them.
std::optional<unsigned> power_of(std::string_view unit)
{
    if (unit.empty() || unit == "B")
        return 0;
    constexpr std::string_view prefixes = "KMG";
    const std::size_t prefix = prefixes.find(unit.front());
    const std::string_view rest = unit.substr(1);
    if (prefix == std::string_view::npos || (!rest.empty() && rest != "iB"))
        return std::nullopt;
    return 10 * static_cast<unsigned>(prefix + 1);
}

/// One number of `text`, with its unit.
std::uint64_t parse_number(std::string_view word, std::string_view text, std::string_view others)
{
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto power = power_of(word.substr(static_cast<std::size_t>(stop - word.data())));
    if (error != std::errc{} || !power || number == 0 || number > largest_message >> *power)
        throw std::invalid_argument(
            fmt::format("--bytes {}: expected a message size from 1 to {} (4096, 4K or 4KiB){}",
                        shortened(text), largest_message, others));
    return number << *power;
}

std::vector<std::uint64_t> parse_numbers(std::string_view list, char separator, std::string_view text)
{
    std::vector<std::uint64_t> numbers;
    for (const std::string& part : parts_of(list, separator))
        numbers.push_back(parse_number(part, text, ", a list 64,1024 or a range 64:65536[:FACTOR]"));
    return numbers;
}

} // namespace

std::vector<std::uint64_t> parse_sizes(std::string_view text)
{
    std::vector<std::uint64_t> sizes;
    if (text.find(':') == std::string_view::npos) {
        sizes = parse_numbers(text, ',', text);
    } else {
        const std::vector<std::uint64_t> range = parse_numbers(text, ':', text);
        const std::uint64_t factor = range.size() == 3 ? range[2] : 2;
        if (range.size() > 3 || range[0] > range[1] || factor < 2)
            throw std::invalid_argument(
                fmt::format("--bytes {}: expected FROM:TO or FROM:TO:FACTOR, the factor "
                            "2 or more",
                            text));
        for (std::uint64_t size = range[0]; size <= range[1]; size *= factor)
            sizes.push_back(size);
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::uint64_t parse_size(std::string_view text)
{
    return parse_number(text, text, "");
}

} // namespace nocturne::cli
