// All-to-all, scatter, gather: every chunk on a path of its own, evenly over the links.
#pragma once

#include "schedules/chunks/chunk_time.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

struct RoutedConfig {
    AlphaBeta cost;
    std::uint64_t seed = 1;
    std::uint32_t passes = 12; ///< over all chunks, each of which looks for a better path
    std::uint32_t runs = 8;    ///< orders of the chunks that are tried, of which the best counts
};

struct RoutedChunks {
    ChunkedSchedule schedule; ///< valid
    double cycles;            ///< time_of() it
    std::uint64_t rounds;     ///< that the fullest link takes
};

/// For collectives whose chunks have one contributor and one receiver each. Paths: every chunk takes the
/// shortest one where links get longer exponentially as they fill up, again and again; the best filling is
/// what the flow of best_lengths() has (Raghavan and Thompson's rounding, made by local search). Order,
/// without barriers: hop_order.hpp. Nothing for other collectives, or where some receiver cannot be reached.
std::optional<RoutedChunks> route_in_time(const LinkNetwork& network, const ChunkedCollective& collective,
                                          const RoutedConfig& config);

/// The same in steps of one round, for chunks of weight 1 that fit every link: in each step a link takes
/// those chunks that have the most hops to go.
std::optional<RoutedChunks> route_in_steps(const LinkNetwork& network, const ChunkedCollective& collective,
                                           const RoutedConfig& config);

} // namespace nocturne
