#include "sim/cli/sizes.hpp"

#include "models/text/number_range.hpp"
#include "models/text/unknown_name.hpp"
#include "sim/cli/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace {

constexpr std::uint64_t most_timed = 1ull << 40, most_simulated = 1ull << 30;
constexpr std::size_t most_sizes = 10'000;
constexpr std::string_view prefixes = "KMGT";

/// The power of two that a unit stands for: `K` and `KiB` are 1024. Nothing for what is no unit, `kB` with
/// its two meanings among them.
std::optional<unsigned> power_of(std::string_view unit)
{
    if (unit.empty() || unit == "B")
        return 0;
    const std::size_t prefix = prefixes.find(unit.front());
    const std::string_view rest = unit.substr(1);
    if (prefix == std::string_view::npos || (!rest.empty() && rest != "iB"))
        return std::nullopt;
    return 10 * static_cast<unsigned>(prefix + 1);
}

/// The size that a word with its unit says, up to most_timed; nothing if it says none.
std::optional<std::uint64_t> size_of(std::string_view word)
{
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto power = power_of(word.substr(static_cast<std::size_t>(stop - word.data())));
    if (error != std::errc{} || !power || number == 0 || number > most_timed >> *power)
        return std::nullopt;
    return number << *power;
}

/// `1M or 1MiB` for `1MB`, `1Mb` and `1mib`; nothing for what has another unit, or one that is read.
std::optional<std::string> meant_by(std::string_view word)
{
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    std::string unit(word.substr(digits));
    std::ranges::transform(unit, unit.begin(), [](unsigned char letter) { return std::toupper(letter); });
    if (digits == 0 || unit.empty() || power_of(word.substr(digits)) ||
        prefixes.find(unit.front()) == prefixes.npos ||
        (unit.size() > 1 && unit.substr(1) != "B" && unit.substr(1) != "IB"))
        return std::nullopt;
    return fmt::format("{0}{1} or {0}{1}iB", word.substr(0, digits), unit.front());
}

std::uint64_t parse_word(std::string_view word, std::string_view text, std::uint64_t most,
                         std::string_view others)
{
    const auto size = size_of(word);
    if (size && *size <= most)
        return *size;
    if (size)
        throw std::invalid_argument(fmt::format(
            "--bytes {}: a run has messages and vectors of at most 1 GiB, since it moves real bytes "
            "between memories of less than 4 GiB: give a smaller --bytes; what only computes times "
            "(schedule, bound, validate) takes up to 1 TiB",
            shortened(text)));
    if (const auto meant = meant_by(word))
        throw std::invalid_argument(
            fmt::format("--bytes {}: units are powers of 1024: write {}", shortened(text), *meant));
    throw std::invalid_argument(
        fmt::format("--bytes {}: expected a message size from 1 to {} (4096, 4K or 4KiB){}", shortened(text),
                    most, others));
}

constexpr std::string_view lists_and_ranges =
    ", a list 64,1024 or a range 64:65536 (doubling) or 64:65536:x4";

std::vector<std::uint64_t> sizes_of_range(std::string_view text)
{
    const std::vector<std::string> parts = parts_of(text, ':');
    for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 2); ++i)
        parse_word(parts[i], text, most_simulated, lists_and_ranges);
    if (parts.size() == 3 && !parts[2].starts_with('x'))
        throw std::invalid_argument(fmt::format("'{}': sizes multiply: write {}:{}:x{}", shortened(text),
                                                parts[0], parts[1], parts[2]));
    const NumberRange range(
        text, [](std::string_view word) { return std::optional<double>(size_of(word)); }, "x2", most_sizes);
    if (range.is_descending())
        throw std::invalid_argument(fmt::format("'{}': a range of sizes goes upwards", shortened(text)));
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < range.size(); ++i)
        sizes.push_back(static_cast<std::uint64_t>(std::llround(range[i])));
    return sizes;
}

} // namespace

std::vector<std::uint64_t> parse_sizes(std::string_view text)
{
    std::vector<std::uint64_t> sizes;
    if (text.find(':') == std::string_view::npos) {
        for (const std::string& part : parts_of(text, ','))
            sizes.push_back(parse_word(part, text, most_simulated, lists_and_ranges));
    } else {
        try {
            sizes = sizes_of_range(text);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(fmt::format("--bytes {}", error.what()));
        }
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::uint64_t parse_size(std::string_view text)
{
    return parse_word(text, text, most_timed, "");
}

std::uint64_t parse_simulated_size(std::string_view text)
{
    return parse_word(text, text, most_simulated, "");
}

bool has_unit_of_bytes(std::string_view word)
{
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    return digits > 0 && digits < word.size() && (power_of(word.substr(digits)) || meant_by(word));
}

} // namespace nocturne::cli
