#include "schedules/chunk_trees/path_choice.hpp"

#include "models/routing/random.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace nocturne {
namespace {

constexpr NodeId no_receiver = ~NodeId{0};

/// By chunk; nothing if some chunk has two receivers, or several contributors.
std::optional<std::vector<NodeId>> receivers_of(const ChunkedCollective& collective)
{
    std::vector<NodeId> receivers(collective.chunks.size(), no_receiver);
    for (const ChunkDemand& demand : collective.demands) {
        if (receivers[demand.chunk] != no_receiver ||
            collective.chunks[demand.chunk].contributors.size() != 1)
            return std::nullopt;
        receivers[demand.chunk] = demand.receiver;
    }
    return receivers;
}

class PathChoice {
public:
    PathChoice(const LinkNetwork& network, double rounds)
        : network_(network), rounds_(rounds), load_(network.link_count(), 0)
    {
    }

    void add(const std::vector<LinkId>& path, std::int64_t weight)
    {
        for (const LinkId link : path)
            load_[link] += weight;
    }

    /// Empty if there is no path.
    std::vector<LinkId> shortest(NodeId source, NodeId target, std::uint32_t weight) const
    {
        std::vector<double> distance(network_.node_count(), std::numeric_limits<double>::infinity());
        std::vector<LinkId> last(network_.node_count(), 0);
        using Entry = std::pair<double, NodeId>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        distance[source] = 0;
        open.emplace(0, source);
        while (!open.empty() && open.top().second != target) {
            const auto [so_far, node] = open.top();
            open.pop();
            if (so_far != distance[node])
                continue;
            for (const LinkId id : network_.links_from(node)) {
                const NodeId next = network_.link(id).target;
                const double length = so_far + length_of(id, weight);
                if (length < distance[next]) {
                    distance[next] = length;
                    last[next] = id;
                    open.emplace(length, next);
                }
            }
        }
        std::vector<LinkId> path;
        if (open.empty())
            return path;
        for (NodeId node = target; node != source; node = network_.link(path.back()).source)
            path.push_back(last[node]);
        std::reverse(path.begin(), path.end());
        return path;
    }

    std::uint64_t fullest() const
    {
        std::uint64_t most = 0;
        for (LinkId id = 0; id < load_.size(); ++id)
            most = std::max(most, (static_cast<std::uint64_t>(load_[id]) + network_.units(id) - 1) /
                                      network_.units(id));
        return most;
    }

private:
    /// Short while there is room, then far longer than any way round.
    double length_of(LinkId id, std::uint32_t weight) const
    {
        constexpr double steepness = 30;
        constexpr double most = 100;
        const auto units = static_cast<double>(network_.units(id));
        const double filled = static_cast<double>(load_[id] + weight) / (units * rounds_);
        return (0.02 + std::exp(std::min(steepness * (filled - 1), most))) / units;
    }

    const LinkNetwork& network_;
    double rounds_; ///< within which all shall be carried
    std::vector<std::int64_t> load_;
};

} // namespace

std::optional<ChunkPaths> choose_paths(const LinkNetwork& network, const ChunkedCollective& collective,
                                       std::uint32_t passes, std::uint64_t seed)
{
    const auto receivers = receivers_of(collective);
    const auto bound = receivers ? best_chunk_bound(network, collective) : std::nullopt;
    if (!bound || bound->rounds.numerator == 0)
        return std::nullopt;
    const double rounds = std::ceil(static_cast<double>(bound->rounds.numerator) /
                                    static_cast<double>(bound->rounds.denominator));
    PathChoice choice(network, rounds);
    ChunkPaths best{std::vector<std::vector<LinkId>>(receivers->size()), ~std::uint64_t{0}};
    std::vector<std::vector<LinkId>> paths = best.paths;
    std::vector<ChunkId> order;
    for (ChunkId chunk = 0; chunk < paths.size(); ++chunk)
        if ((*receivers)[chunk] != no_receiver)
            order.push_back(chunk);
    SplitMix64 random{seed};
    for (std::uint32_t pass = 0; pass < std::max(passes, 1U); ++pass) {
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
        for (const ChunkId chunk : order) {
            const Chunk& one = collective.chunks[chunk];
            choice.add(paths[chunk], -std::int64_t{one.weight});
            paths[chunk] = choice.shortest(one.contributors.front(), (*receivers)[chunk], one.weight);
            if (paths[chunk].empty())
                return std::nullopt;
            choice.add(paths[chunk], one.weight);
        }
        if (choice.fullest() < best.rounds)
            best = {paths, choice.fullest()};
        if (static_cast<double>(best.rounds) <= rounds)
            break;
    }
    return best;
}

} // namespace nocturne
