#include "sim/cli/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace nocturne::cli {

namespace {

constexpr std::uint64_t largest_message = 1ull << 30;

std::vector<std::uint64_t> parse_numbers(std::string_view list, char separator, std::string_view text)
{
    std::vector<std::uint64_t> numbers;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(separator, begin), list.size());
        std::uint64_t number = 0;
        const auto [stop, error] = std::from_chars(list.data() + begin, list.data() + end, number);
        if (error != std::errc{} || stop != list.data() + end || number == 0 || number > largest_message)
            throw std::invalid_argument(
                fmt::format("--bytes {}: expected message sizes from 1 to {}, a list 64,1024 or a "
                            "range 64:65536[:FACTOR]",
                            text, largest_message));
        numbers.push_back(number);
        begin = end + 1;
    }
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

} // namespace nocturne::cli
