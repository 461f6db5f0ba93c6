#include "schedules/chunk_trees/packing.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace nocturne {
namespace {

/// Chunks that slow links may be spared; see edges_of_links().
constexpr std::uint32_t slack = 4;

std::vector<double> cycles_of(const std::vector<SplitEdge>& edges, const LinkNetwork& network,
                              const AlphaBeta& cost)
{
    std::vector<double> cycles;
    for (const SplitEdge& edge : edges)
        cycles.push_back(path_time(edge.path, network, cost).of(cost.bytes_per_weight, cost).duration);
    return cycles;
}

} // namespace

std::optional<LinkPacking> pack(const LinkNetwork& network, const SpreadToAll& spread, std::uint64_t rounds,
                                const PackedTreesConfig& config, const TakesLink& takes)
{
    LinkPacking packing;
    packing.edges = split_off_others(
        network, spread, edges_of_links(network, spread, rounds, slack, config.end, takes), config.end);
    if (least_reception(packing.edges, spread, network.node_count(), config.end) < total_weight(spread))
        return std::nullopt;
    auto batches = pack_trees(packing.edges, cycles_of(packing.edges, network, config.cost), spread,
                              config.packing_work, config.end);
    if (!batches)
        return std::nullopt;
    packing.batches = std::move(*batches);
    return packing;
}

std::optional<LinkPacking> pack_in_few_rounds(const LinkNetwork& network, const SpreadToAll& spread,
                                              const PackedTreesConfig& config, const TakesLink& takes)
{
    const std::int64_t all = total_weight(spread);
    const auto is_enough = [&](std::uint64_t rounds) {
        return least_reception(edges_of_links(network, spread, rounds, 0, config.end, takes), spread,
                               network.node_count(), config.end) == all;
    };
    std::uint64_t most = 1;
    for (; !is_enough(most); most *= 2)
        if (config.end.has_come() || most > static_cast<std::uint64_t>(all))
            return std::nullopt;
    std::uint64_t least = most / 2 + 1;
    while (least < most) {
        const std::uint64_t middle = (least + most) / 2;
        if (is_enough(middle))
            most = middle;
        else
            least = middle + 1;
    }
    auto packing = pack(network, spread, least, config, takes);
    return packing ? std::move(packing) : pack(network, spread, least + 1, config, takes);
}

std::vector<TreeHop> hops_of(const TreeBatch& batch, const std::vector<SplitEdge>& edges,
                             const LinkNetwork& network)
{
    std::vector<TreeHop> hops;
    std::map<NodeId, std::optional<std::uint32_t>> brought{{batch.root, std::nullopt}};
    for (const std::uint32_t id : batch.edges) {
        const std::vector<LinkId>& path = edges[id].path;
        // Where the chunk is already, as near to the target as can be.
        std::size_t begin = path.size();
        while (begin-- > 0)
            if (brought.contains(network.link(path[begin]).source))
                break;
        TreeHop hop{network.link(path[begin]).source, 0, {}, std::nullopt};
        for (std::size_t i = begin; i < path.size(); ++i) {
            hop.path.push_back(path[i]);
            hop.target = network.link(path[i]).target;
            if (i + 1 < path.size() && network.kind(hop.target) == NodeKind::plain_switch)
                continue;
            hop.before = brought.at(hop.source);
            brought[hop.target] = static_cast<std::uint32_t>(hops.size());
            hops.push_back(hop);
            hop = {hop.target, 0, {}, std::nullopt};
        }
    }
    return hops;
}

} // namespace nocturne
