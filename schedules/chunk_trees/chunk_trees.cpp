#include "schedules/chunk_trees/chunk_trees.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/chunk_trees/hop_order.hpp"
#include "schedules/chunk_trees/tree_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
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

/// Edges end where chunks can be stored on their way, and nothing comes twice to such a node.
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

/// Chunks of a processor take its trees in turn, so that those of one tree are not all next to each other.
std::vector<ChunkTree> trees_of(const std::vector<TreeBatch>& batches, const std::vector<SplitEdge>& edges,
                                const SpreadToAll& spread, const LinkNetwork& network)
{
    std::vector<ChunkTree> trees;
    std::vector<std::size_t> used(spread.weights.size(), 0);
    for (const TreeBatch& batch : batches) {
        ChunkTree tree{hops_of(batch, edges, network), {}};
        for (std::int64_t i = 0; i < batch.count; ++i)
            tree.chunks.push_back(spread.chunks_from[batch.root][used[batch.root]++]);
        trees.push_back(std::move(tree));
    }
    return trees;
}

Schedule schedule_of(const std::vector<HopStart>& starts, const std::vector<ChunkTree>& trees,
                     const Collective& collective, const LinkNetwork& network)
{
    Schedule schedule = empty_schedule(fmt::format("{} over trees", to_string(collective.kind)),
                                       network.name(), collective, ScheduleSynchronization::dependencies);
    schedule.source = "packed spanning trees";
    std::map<std::pair<ChunkId, std::uint32_t>, std::uint32_t> transfer_of; // by chunk and hop
    for (const HopStart& one : starts) {
        const TreeHop& hop = trees[one.tree].hops[one.hop];
        std::vector<std::uint32_t> after;
        if (hop.before)
            after.push_back(transfer_of.at({one.chunk, *hop.before}));
        transfer_of[{one.chunk, one.hop}] =
            append_transfer(schedule, {one.chunk, hop.source, hop.target, hop.path}, after);
    }
    return schedule;
}

struct Packing {
    std::vector<SplitEdge> edges;
    std::vector<TreeBatch> batches;
    std::uint64_t rounds;
};

std::optional<Packing> pack(const LinkNetwork& network, const SpreadToAll& spread, std::uint64_t rounds,
                            const PackedTreesConfig& config)
{
    Packing packing;
    packing.rounds = rounds;
    packing.edges = split_off_others(network, spread,
                                     edges_of_links(network, spread, rounds, slack, config.end), config.end);
    const auto all = total_weight(spread);
    if (least_reception(packing.edges, spread, network.node_count(), config.end) < all)
        return std::nullopt;
    auto batches = pack_trees(packing.edges, cycles_of(packing.edges, network, config.cost), spread,
                              config.packing_work, config.end);
    if (!batches)
        return std::nullopt;
    packing.batches = std::move(*batches);
    return packing;
}

double last_end(const std::vector<HopStart>& starts)
{
    double last = 0;
    for (const HopStart& one : starts)
        last = std::max(last, one.end);
    return last;
}

std::vector<HopStart> best_order(const LinkNetwork& network, const std::vector<ChunkTree>& trees,
                                 const PackedTreesConfig& config)
{
    std::vector<HopStart> best;
    double least = 0;
    for (std::uint32_t run = 0; run < std::max(config.runs, 1U); ++run) {
        std::vector<HopStart> starts = order_hops(network, trees, config.cost, config.seed + run, config.end);
        if (starts.empty())
            break;
        const double last = last_end(starts);
        if (best.empty() || last < least) {
            least = last;
            best = std::move(starts);
        }
    }
    return best;
}

} // namespace

std::optional<PackedTrees> spread_over_trees(const LinkNetwork& network, const Collective& collective,
                                             const PackedTreesConfig& config)
{
    const bool is_turned = reduces(collective);
    if (is_turned && collective.demands.size() > collective.chunks.size())
        return std::nullopt; // sums for several, which cannot be turned round
    const auto bound = best_cut(network, collective);
    if (!bound || bound->rounds.numerator == 0 ||
        std::any_of(collective.chunks.begin(), collective.chunks.end(),
                    [](const Chunk& chunk) { return chunk.weight != 1; }))
        return std::nullopt;
    const Collective copied = is_turned ? reversed(collective) : collective;
    const LinkNetwork forward = is_turned ? turned(network) : network;
    const auto spread = spread_of(copied);
    if (!spread)
        return std::nullopt;
    // The bound rounded up is enough where all switches can be split off. One round more takes longer at
    // best, but leaves links some freedom.
    const std::uint64_t least =
        (bound->rounds.numerator + bound->rounds.denominator - 1) / bound->rounds.denominator;
    std::optional<Packing> best;
    std::vector<ChunkTree> trees;
    std::vector<HopStart> starts;
    for (const std::uint64_t rounds : {least, least + 1}) {
        auto packing = pack(forward, *spread, rounds, config);
        if (!packing)
            continue;
        std::vector<ChunkTree> candidates = trees_of(packing->batches, packing->edges, *spread, forward);
        std::vector<HopStart> order = best_order(forward, candidates, config);
        if (order.empty() || (best && last_end(starts) <= last_end(order)))
            continue;
        best = std::move(packing);
        trees = std::move(candidates);
        starts = std::move(order);
    }
    if (!best)
        return std::nullopt;
    if (is_turned) // backwards what ended last begins
        std::stable_sort(starts.begin(), starts.end(),
                         [](const HopStart& a, const HopStart& b) { return a.end < b.end; });
    PackedTrees result{schedule_of(starts, trees, copied, forward), 0, 0, best->rounds, trees.size()};
    if (is_turned)
        result.schedule = turned_in_time(result.schedule, collective);
    result.cycles = time_of(result.schedule, network, config.cost);
    result.bound = static_cast<double>(bound->rounds.numerator) /
                   static_cast<double>(bound->rounds.denominator) * config.cost.bytes_per_weight /
                   static_cast<double>(network.unit_bytes_per_cycle());
    return result;
}

} // namespace nocturne
