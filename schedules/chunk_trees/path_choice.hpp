// Paths for chunks of one receiver each, evenly over the links.
#pragma once

#include "schedules/chunks/chunked_collective.hpp"
#include "schedules/chunks/link_network.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

struct ChunkPaths {
    std::vector<std::vector<LinkId>> paths; ///< by chunk; empty where nothing is owed
    std::uint64_t rounds;                   ///< that the fullest link takes
};

/// See routed_chunks.hpp.
std::optional<ChunkPaths> choose_paths(const LinkNetwork& network, const ChunkedCollective& collective,
                                       std::uint32_t passes, std::uint64_t seed);

} // namespace nocturne
