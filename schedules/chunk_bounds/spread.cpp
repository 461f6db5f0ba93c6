#include "schedules/chunk_bounds/spread.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne {

std::int64_t total_weight(const SpreadToAll& spread)
{
    return static_cast<std::int64_t>(
        std::accumulate(spread.weights.begin(), spread.weights.end(), std::uint64_t{0}));
}

std::optional<SpreadToAll> spread_of(const Collective& collective)
{
    std::vector<bool> is_terminal(collective.processors, false);
    std::vector<std::uint32_t> owed(collective.chunks.size(), 0);
    SpreadToAll spread{{},
                       std::vector<std::uint64_t>(collective.processors, 0),
                       std::vector<std::vector<ChunkId>>(collective.processors)};
    for (const Demand& demand : collective.demands) {
        if (is_own(demand))
            continue;
        is_terminal[demand.receiver] = true;
        ++owed[demand.chunk];
    }
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk) {
        const Chunk& one = collective.chunks[chunk];
        if (one.contributors.size() != 1 || owed[chunk] == 0)
            return std::nullopt;
        is_terminal[one.contributors.front()] = true;
        spread.weights[one.contributors.front()] += one.weight;
        spread.chunks_from[one.contributors.front()].push_back(chunk);
    }
    for (std::uint32_t node = 0; node < collective.processors; ++node)
        if (is_terminal[node])
            spread.terminals.push_back(node);
    // A receiver is listed once for a chunk, its contributor is not counted: the number says that all are.
    const bool is_spread = std::all_of(
        owed.begin(), owed.end(), [&](std::uint32_t count) { return count + 1 == spread.terminals.size(); });
    return is_spread && !owed.empty() ? std::optional{spread} : std::nullopt;
}

} // namespace nocturne
