// How large a network may get, checked before anything is built: `mesh:1000000x1000000` is one clear line,
// not a machine out of memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace nocturne {

/// What a network is made of.
struct NetworkSize {
    std::uint64_t processors;
    std::uint64_t routers;
    std::uint64_t channels;
};

/// The largest network that a generator builds or a reader accepts.
inline constexpr NetworkSize largest_network{std::uint64_t{1} << 20, std::uint64_t{1} << 21,
                                             std::uint64_t{1} << 23};

/// The largest network of what takes memory or time for each pair of processors or routers: schedules and
/// their bounds, table-driven routings, measures.
inline constexpr NetworkSize largest_pairwise_network{4096, 65536, std::uint64_t{1} << 20};

/// Throws std::invalid_argument (`mesh:9999x9999: more than 1048576 processors`) if `size` exceeds
/// largest_network.
void check_size(std::string_view name, const NetworkSize& size);

/// Does it exceed largest_pairwise_network?
bool is_too_large_for_pairs(const NetworkSize& size);

/// "9.5 GiB", "3.0 MiB": how messages say how much memory something would take.
std::string in_binary_units(std::uint64_t bytes);

/// Product and power that stop at 2^60 instead of overflowing, so that sums of a few of them are right too.
std::uint64_t saturating_product(std::initializer_list<std::uint64_t> factors);
std::uint64_t saturating_power(std::uint64_t base, std::uint64_t exponent);

/// The k for which 2^k = n. Throws std::invalid_argument, naming the network, if there is none or n < 2.
unsigned exact_log2(std::string_view name, unsigned n);

} // namespace nocturne
