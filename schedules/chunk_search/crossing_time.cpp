#include "schedules/chunk_search/crossing_time.hpp"

#include "models/topology/indices_by.hpp"
#include "schedules/certificate/crossings.hpp"
#include "schedules/certificate/hops.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace nocturne {
namespace {

/// A link: no more chunks have ended on it by a time than there are of first, first + period,
/// first + 2 period, …, and none before `not_before`. Each counts so many times.
struct Arrivals {
    double first;
    double period;
    double not_before;
    double times;
};

/// When `count` chunks can have come over these links, each as early as it can.
double earliest(const std::vector<Arrivals>& links, double count)
{
    if (links.empty())
        return HUGE_VAL;
    const auto come_by = [&](double time) {
        double sum = 0;
        for (const auto& [first, period, not_before, times] : links)
            if (time >= not_before)
                sum += times * (std::floor((time - first) / period * (1 + 1e-12) + 1e-9) + 1);
        return sum;
    };
    double low = 0;
    double high = links.front().not_before + links.front().period * count;
    for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i) {
        const double middle = (low + high) / 2;
        (come_by(middle) >= count ? high : low) = middle;
    }
    return high;
}

/// A link that carries from some time on so many bytes a cycle.
using Stream = std::pair<double, double>;

Stream stream_over(const NetworkLink& link, std::uint64_t latency, const AlphaBeta& cost)
{
    return {static_cast<double>(latency) + cost.start_cycles, static_cast<double>(link.bytes_per_cycle)};
}

/// When so much has come.
double earliest_stream(std::vector<Stream> streams, double bytes)
{
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

std::vector<NodeId> unlike_processors(const LinkNetwork& network)
{
    constexpr std::uint32_t few = 64;
    std::set<std::vector<std::uint64_t>> known;
    std::vector<NodeId> found;
    for (NodeId node = 0; node < network.processor_count(); ++node) {
        std::vector<std::uint64_t> kind;
        for (const auto links : {network.links_from(node), network.links_to(node)}) {
            std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
            for (const LinkId id : links)
                pairs.emplace_back(network.link(id).bytes_per_cycle, network.link(id).latency_cycles);
            std::sort(pairs.begin(), pairs.end());
            kind.push_back(pairs.size());
            for (const auto& [rate, latency] : pairs)
                kind.insert(kind.end(), {rate, latency});
        }
        if (known.insert(std::move(kind)).second || network.processor_count() <= few)
            found.push_back(node);
    }
    return found;
}

std::function<double(LinkId link)> hop_of(const LinkNetwork& network, const Collective& collective,
                                          const std::optional<ChunkPiece>& piece, const AlphaBeta& cost,
                                          CountedLink counted)
{
    std::uint32_t lightest = piece ? ~0U : 0;
    for (const Chunk& chunk : collective.chunks)
        lightest = std::min(lightest, chunk.weight);
    const double bytes = lightest * cost.bytes_per_weight;
    return [&network, start = cost.start_cycles, bytes, counted](LinkId id) {
        const NetworkLink& link = network.link(id);
        const auto latency = static_cast<double>(link.latency_cycles);
        return counts(network, id, counted)
                   ? latency + start + bytes / static_cast<double>(link.bytes_per_cycle)
                   : latency;
    };
}

double crossing_time(const LinkNetwork& network, const NetworkLatencies& latencies,
                     std::span<const LinkId> links, const std::optional<ChunkPiece>& piece,
                     const CutClaim<double>& claim, const AlphaBeta& cost)
{
    if (claim.crossed.chunks == 0)
        return 0;
    const auto weight = static_cast<double>(claim.times) * claim.crossed.weight.convert_to<double>();
    if (!piece) {
        std::vector<Stream> streams;
        for (const auto& [closed, times] : claim.windows)
            for (const LinkId id : links) {
                const auto [first, speed] = stream_over(network.link(id), latencies.of_transfers[id], cost);
                streams.emplace_back(first + closed, speed * static_cast<double>(times));
            }
        return earliest_stream(std::move(streams), weight * cost.bytes_per_weight);
    }
    // A chunk has w bytes of the link, and with the latency a rate r for alpha cycles more: of the link's B
    // bytes a cycle (w + r alpha) / B cycles.
    const bool holds = cost.latency_holds_link && piece->is_whole_chunk;
    const std::vector<std::uint64_t> rates = holds ? least_rates(network) : std::vector<std::uint64_t>{};
    std::vector<Arrivals> arrivals;
    for (const auto& [closed, counted] : claim.windows)
        for (const LinkId id : links) {
            const NetworkLink& link = network.link(id);
            const double alpha = static_cast<double>(latencies.of_transfers[id]) + cost.start_cycles;
            const double stream = static_cast<double>(piece->weight) * cost.bytes_per_weight /
                                  static_cast<double>(link.bytes_per_cycle);
            const auto times = static_cast<double>(counted);
            if (holds) {
                const double part =
                    static_cast<double>(rates[id]) / static_cast<double>(link.bytes_per_cycle);
                const double period = stream + alpha * part;
                arrivals.push_back({closed + period, period, closed + alpha + stream, times});
            } else {
                arrivals.push_back({closed + alpha + stream, stream, closed + alpha + stream, times});
            }
        }
    return earliest(arrivals, weight / static_cast<double>(piece->weight));
}

double streaming_time(const LinkNetwork& network, const NetworkLatencies& latencies,
                      std::span<const std::uint64_t> lengths, double weight, const AlphaBeta& cost)
{
    if (weight == 0)
        return 0;
    std::vector<Stream> streams;
    for (LinkId id = 0; id < network.link_count(); ++id)
        if (lengths[id] > 0) {
            const auto [first, speed] = stream_over(network.link(id), latencies.of_transfers[id], cost);
            streams.emplace_back(first, speed * static_cast<double>(lengths[id]));
        }
    return earliest_stream(std::move(streams), weight * cost.bytes_per_weight);
}

double crossing_time(const LinkNetwork& network, const NetworkLatencies& latencies,
                     const Collective& collective, const NodeCut& cut, const std::optional<ChunkPiece>& piece,
                     const AlphaBeta& cost)
{
    const std::vector<bool> inside = inside_of(cut, network);
    const auto links = indices_where(network.link_count(), [&](LinkId id) {
        return inside[network.link(id).source] && !inside[network.link(id).target];
    });
    CutClaim<double> all;
    const std::vector<std::uint32_t> crossings = least_crossings(collective, inside);
    for (ChunkId chunk = 0; chunk < crossings.size(); ++chunk)
        all.crossed.add(crossings[chunk], collective.chunks[chunk].weight);
    double latest = crossing_time(network, latencies, links, piece, all, cost);
    const std::vector<std::uint32_t> demands = demand_ids(collective);
    for (const CountedLink counted : {CountedLink::first, CountedLink::last})
        for (const CutClaim<double>& claim :
             claims_of_cut<double>(network, latencies, collective, demands, inside, counted,
                                   hop_of(network, collective, piece, cost, counted)))
            latest = std::max(latest, crossing_time(network, latencies, links, piece, claim, cost));
    return latest;
}

} // namespace nocturne
