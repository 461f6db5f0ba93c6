#include "schedules/chunk_search/timed_search.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace nocturne {
namespace {

/// A link into or out of a node: chunks of weight 1 end at first, first + period, first + 2 period, … at
/// the earliest.
struct Arrivals {
    double first;
    double period;
};

/// When `count` chunks can have come over these links, each as early as it can.
double earliest(const std::vector<Arrivals>& links, std::uint64_t count)
{
    if (links.empty())
        return HUGE_VAL;
    const auto come_by = [&](double time) {
        double sum = 0;
        for (const auto& [first, period] : links)
            if (time >= first)
                sum += std::floor((time - first) / period * (1 + 1e-12) + 1e-9) + 1;
        return sum;
    };
    double low = 0;
    double high = links.front().first + links.front().period * static_cast<double>(count);
    for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i) {
        const double middle = (low + high) / 2;
        (come_by(middle) >= static_cast<double>(count) ? high : low) = middle;
    }
    return high;
}

} // namespace

double port_time_bound(const LinkNetwork& network, const ChunkedCollective& collective, const AlphaBeta& cost)
{
    std::uint32_t lightest = ~0u, heaviest = 1;
    for (const Chunk& chunk : collective.chunks) {
        lightest = std::min(lightest, chunk.weight);
        heaviest = std::max(heaviest, chunk.weight);
    }
    // Chunks of one weight cross a link one by one. Otherwise parts of weight 1 are counted, and no alpha
    // between.
    const bool are_alike = lightest == heaviest;
    const std::uint32_t part = are_alike ? heaviest : 1;
    std::vector<std::uint64_t> entering(network.processor_count(), 0), leaving(entering);
    std::vector<bool> has_left(collective.chunks.size(), false);
    for (const ChunkDemand& demand : collective.demands) {
        const Chunk& chunk = collective.chunks[demand.chunk];
        entering[demand.receiver] += chunk.weight / part;
        if (!has_left[demand.chunk])
            leaving[chunk.contributors.front()] += chunk.weight / part;
        has_left[demand.chunk] = true;
    }
    const auto time_over = [&](std::span<const LinkId> links, std::uint64_t count) {
        std::vector<Arrivals> arrivals;
        for (const LinkId id : links) {
            const NetworkLink& link = network.link(id);
            const double alpha = static_cast<double>(link.latency_cycles) + cost.start_cycles;
            const double stream = part * cost.bytes_per_weight / static_cast<double>(link.bytes_per_cycle);
            arrivals.push_back({alpha + stream, stream + (cost.latency_holds_link && are_alike ? alpha : 0)});
        }
        return count == 0 ? 0 : earliest(arrivals, count);
    };
    double bound = 0;
    for (NodeId node = 0; node < network.processor_count(); ++node)
        bound = std::max({bound, time_over(network.links_to(node), entering[node]),
                          time_over(network.links_from(node), leaving[node])});
    return bound;
}

} // namespace nocturne
