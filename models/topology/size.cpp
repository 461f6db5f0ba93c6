#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint64_t saturation = std::uint64_t{1} << 60;

} // namespace

void check_size(std::string_view name, const NetworkSize& size)
{
    const auto check = [&](std::uint64_t count, std::uint64_t most, std::string_view what) {
        if (count > most)
            throw std::invalid_argument(fmt::format("{}: more than {} {}", name, most, what));
    };
    check(size.processors, largest_network.processors, "processors");
    check(size.routers, largest_network.routers, "routers");
    check(size.channels, largest_network.channels, "channels");
}

bool is_too_large_for_pairs(const NetworkSize& size)
{
    return size.processors > largest_pairwise_network.processors ||
           size.routers > largest_pairwise_network.routers ||
           size.channels > largest_pairwise_network.channels;
}

std::string in_binary_units(std::uint64_t bytes)
{
    constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; amount >= 1024; ++unit)
        amount /= 1024;
    return fmt::format("{:.{}f} {}", amount, unit == 0 ? 0 : 1, units[unit]);
}

std::uint64_t saturating_product(std::initializer_list<std::uint64_t> factors)
{
    std::uint64_t product = 1;
    for (const std::uint64_t factor : factors) {
        if (factor == 0)
            return 0;
        product = product > saturation / factor ? saturation : product * factor;
    }
    return product;
}

std::uint64_t saturating_power(std::uint64_t base, std::uint64_t exponent)
{
    if (base <= 1)
        return exponent == 0 ? 1 : base;
    std::uint64_t power = 1;
    for (; exponent > 0 && power < saturation; --exponent)
        power = saturating_product({power, base});
    return power;
}

unsigned exact_log2(std::string_view name, unsigned n)
{
    if (n < 2 || !std::has_single_bit(n))
        throw std::invalid_argument(fmt::format("{}: {} is not a power of two from 2", name, n));
    return static_cast<unsigned>(std::countr_zero(n));
}

} // namespace nocturne
