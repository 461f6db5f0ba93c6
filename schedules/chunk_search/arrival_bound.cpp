#include "schedules/chunk_search/timed_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace nocturne {
namespace {

/// A link into a node: chunks of weight 1 end at first, first + period, first + 2 period, … at the earliest.
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

double arrival_bound(const LinkNetwork& network, const ChunkedCollective& collective, const AlphaBeta& cost)
{
    std::vector<std::uint64_t> owed(network.processor_count(), 0);
    std::uint32_t lightest = ~0u, heaviest = 1;
    for (const Chunk& chunk : collective.chunks) {
        lightest = std::min(lightest, chunk.weight);
        heaviest = std::max(heaviest, chunk.weight);
    }
    // Chunks of one weight arrive one by one. Otherwise parts of weight 1 are counted, and no alpha between.
    const bool are_alike = lightest == heaviest;
    const std::uint32_t part = are_alike ? heaviest : 1;
    for (const ChunkDemand& demand : collective.demands)
        owed[demand.receiver] += collective.chunks[demand.chunk].weight / part;
    double bound = 0;
    for (NodeId node = 0; node < network.processor_count(); ++node) {
        if (owed[node] == 0)
            continue;
        std::vector<Arrivals> links;
        for (const LinkId id : network.links_to(node)) {
            const NetworkLink& link = network.link(id);
            const double alpha = static_cast<double>(link.latency_cycles) + cost.start_cycles;
            const double stream = part * cost.bytes_per_weight / static_cast<double>(link.bytes_per_cycle);
            links.push_back({alpha + stream, stream + (cost.latency_holds_link && are_alike ? alpha : 0)});
        }
        bound = std::max(bound, earliest(links, owed[node]));
    }
    return bound;
}

} // namespace nocturne
