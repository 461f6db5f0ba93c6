#include "schedules/chunk_search/crossing_time.hpp"

#include "schedules/certificate/hops.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// A link into or out of a node: no more chunks have ended on it by a time than there are of first,
/// first + period, first + 2 period, …, and none before `not_before`.
struct Arrivals {
    double first;
    double period;
    double not_before;
};

/// When `count` chunks can have come over these links, each as early as it can.
double earliest(const std::vector<Arrivals>& links, std::uint64_t count)
{
    if (links.empty())
        return HUGE_VAL;
    const auto come_by = [&](double time) {
        double sum = 0;
        for (const auto& [first, period, not_before] : links)
            if (time >= not_before)
                sum += std::floor((time - first) / period * (1 + 1e-12) + 1e-9) + 1;
        return sum;
    };
    double low = 0;
    double high = links.front().not_before + links.front().period * static_cast<double>(count);
    for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i) {
        const double middle = (low + high) / 2;
        (come_by(middle) >= static_cast<double>(count) ? high : low) = middle;
    }
    return high;
}

/// When so much has come over links that stream from `first` on.
double earliest_stream(const LinkNetwork& network, std::span<const LinkId> links, double bytes,
                       const AlphaBeta& cost)
{
    std::vector<std::pair<double, double>> streams; // from when, bytes a cycle
    for (const LinkId id : links) {
        const NetworkLink& link = network.link(id);
        streams.emplace_back(static_cast<double>(link.latency_cycles) + cost.start_cycles,
                             static_cast<double>(link.bytes_per_cycle));
    }
    std::sort(streams.begin(), streams.end());
    double speed = 0, come = 0, now = 0;
    for (const auto& [first, more] : streams) {
        if (speed > 0 && come + speed * (first - now) >= bytes)
            break;
        come += speed * (first - now);
        now = first;
        speed += more;
    }
    return speed > 0 ? now + (bytes - come) / speed : HUGE_VAL;
}

} // namespace

ChunkPiece piece_of(const Collective& collective)
{
    std::uint32_t lightest = ~0u, heaviest = 1;
    for (const Chunk& chunk : collective.chunks) {
        lightest = std::min(lightest, chunk.weight);
        heaviest = std::max(heaviest, chunk.weight);
    }
    const bool are_alike = lightest == heaviest;
    return {are_alike ? heaviest : 1, are_alike};
}

double crossing_time(const LinkNetwork& network, std::span<const LinkId> links,
                     const std::optional<ChunkPiece>& piece, std::uint64_t pieces, const AlphaBeta& cost)
{
    if (pieces == 0)
        return 0;
    if (!piece)
        return earliest_stream(network, links, static_cast<double>(pieces) * cost.bytes_per_weight, cost);
    // A chunk has w bytes of the link, and with the latency a rate r for alpha cycles more: of the link's B
    // bytes a cycle (w + r alpha) / B cycles.
    const bool holds = cost.latency_holds_link && piece->is_whole_chunk;
    const std::vector<std::uint64_t> rates = holds ? least_rates(network) : std::vector<std::uint64_t>{};
    std::vector<Arrivals> arrivals;
    for (const LinkId id : links) {
        const NetworkLink& link = network.link(id);
        const double alpha = static_cast<double>(link.latency_cycles) + cost.start_cycles;
        const double stream = static_cast<double>(piece->weight) * cost.bytes_per_weight /
                              static_cast<double>(link.bytes_per_cycle);
        if (holds) {
            const double part = static_cast<double>(rates[id]) / static_cast<double>(link.bytes_per_cycle);
            arrivals.push_back({stream + alpha * part, stream + alpha * part, alpha + stream});
        } else {
            arrivals.push_back({alpha + stream, stream, alpha + stream});
        }
    }
    return earliest(arrivals, pieces);
}

PortTime port_time_bound(const LinkNetwork& network, const Collective& collective,
                         const std::optional<ChunkPiece>& piece, const AlphaBeta& cost)
{
    const std::uint64_t unit = piece ? piece->weight : 1;
    std::vector<std::uint64_t> entering(network.processor_count(), 0), leaving(entering);
    // Receivers of a chunk that want all of it: two, and every contribution leaves its processor; one, and
    // all but its own do.
    std::vector<std::uint32_t> whole(collective.chunks.size(), 0), last(collective.chunks.size(), 0);
    for (const Demand& demand : collective.demands) {
        const Chunk& chunk = collective.chunks[demand.chunk];
        if (demand.contributors.size() > 1 || demand.contributors.front() != demand.receiver)
            entering[demand.receiver] += chunk.weight / unit;
        if (demand.contributors.size() != chunk.contributors.size())
            continue;
        ++whole[demand.chunk];
        last[demand.chunk] = demand.receiver;
    }
    for (ChunkId c = 0; c < collective.chunks.size(); ++c)
        for (const std::uint32_t contributor : collective.chunks[c].contributors)
            if (whole[c] > 1 || (whole[c] == 1 && last[c] != contributor))
                leaving[contributor] += collective.chunks[c].weight / unit;
    PortTime bound;
    for (NodeId node = 0; node < network.processor_count(); ++node)
        for (const bool enters : {true, false}) {
            const double cycles =
                crossing_time(network, enters ? network.links_to(node) : network.links_from(node), piece,
                              enters ? entering[node] : leaving[node], cost);
            if (cycles > bound.cycles)
                bound = {cycles, node, enters};
        }
    return bound;
}

} // namespace nocturne
