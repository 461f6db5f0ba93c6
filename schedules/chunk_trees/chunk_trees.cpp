#include "schedules/chunk_trees/chunk_trees.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/all_reduce.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/chunk_trees/box_trees.hpp"
#include "schedules/chunk_trees/packing.hpp"
#include "schedules/schedule/start_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace nocturne {
namespace {

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

std::uint64_t rounds_of(const Schedule& schedule, const LinkNetwork& network)
{
    std::vector<std::uint64_t> carried(network.link_count(), 0);
    for (const Transfer& transfer : schedule.steps.front())
        for (const LinkId link : transfer.links())
            ++carried[link];
    std::uint64_t most = 0;
    for (LinkId link = 0; link < network.link_count(); ++link)
        most = std::max(most, (carried[link] + network.units(link) - 1) / network.units(link));
    return most;
}

/// A collective that copies, or what adds as such a one on the turned network.
struct CopiedCollective {
    Collective collective;
    LinkNetwork network;
    SpreadToAll spread;
    bool is_turned;
};

PackedTrees result_of(Schedule schedule, std::size_t trees, const LinkNetwork& network, const AlphaBeta& cost)
{
    const double cycles = time_of(schedule, network, cost);
    const std::uint64_t rounds = rounds_of(schedule, network);
    return {std::move(schedule), cycles, 0, rounds, trees};
}

std::optional<PackedTrees> over_boxes(const CopiedCollective& copied, const LinkNetwork& network,
                                      const Collective& collective, const PackedTreesConfig& config)
{
    const BoxTrees found = trees_in_boxes(copied.network, copied.collective, copied.spread, config);
    if (found.trees.empty())
        return std::nullopt;
    const Schedule listed = schedule_of(found.order, found.trees, copied.collective, copied.network);
    const auto is_over = [&] { return config.end.has_come(); };
    auto schedule = copied.is_turned ? in_order_of_releases(listed, copied.network, config.cost, is_over)
                                     : in_order_of_starts(listed, copied.network, config.cost, is_over);
    if (schedule && copied.is_turned)
        schedule = turned_in_time(*schedule, collective);
    return schedule ? std::optional(result_of(std::move(*schedule), found.trees.size(), network, config.cost))
                    : std::nullopt;
}

std::optional<PackedTrees> over_whole(const CopiedCollective& copied, const LinkNetwork& network,
                                      const Collective& collective, std::uint64_t least_rounds,
                                      const PackedTreesConfig& config)
{
    std::vector<ChunkTree> trees;
    std::vector<HopStart> starts;
    for (const std::uint64_t rounds : {least_rounds, least_rounds + 1}) {
        const auto packing = pack(copied.network, copied.spread, rounds, config);
        if (!packing)
            continue;
        std::vector<ChunkTree> candidates =
            trees_of(packing->batches, packing->edges, copied.spread, copied.network);
        std::vector<HopStart> order = best_order(copied.network, candidates, config);
        if (order.empty() || (!starts.empty() && last_end(starts) <= last_end(order)))
            continue;
        trees = std::move(candidates);
        starts = std::move(order);
    }
    if (starts.empty())
        return std::nullopt;
    if (copied.is_turned) // backwards what ended last begins
        std::ranges::stable_sort(starts, [](const HopStart& a, const HopStart& b) { return a.end < b.end; });
    Schedule schedule = schedule_of(starts, trees, copied.collective, copied.network);
    if (copied.is_turned)
        schedule = turned_in_time(schedule, collective);
    return result_of(std::move(schedule), trees.size(), network, config.cost);
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
        std::ranges::any_of(collective.chunks, [](const Chunk& chunk) { return chunk.weight != 1; }))
        return std::nullopt;
    Collective forward = is_turned ? reversed(collective) : collective;
    auto spread = spread_of(forward);
    if (!spread)
        return std::nullopt;
    const CopiedCollective copied{std::move(forward), is_turned ? turned(network) : network,
                                  std::move(*spread), is_turned};
    // The bound rounded up is enough where all switches can be split off. One round more takes longer at
    // best, but leaves links some freedom.
    const std::uint64_t least =
        (bound->rounds.numerator + bound->rounds.denominator - 1) / bound->rounds.denominator;
    auto best = over_boxes(copied, network, collective, config);
    if (!config.only_in_boxes && !(best && best->rounds <= least)) {
        auto whole = over_whole(copied, network, collective, least, config);
        if (whole && (!best || whole->cycles < best->cycles))
            best = std::move(whole);
    }
    if (best)
        best->bound = static_cast<double>(bound->rounds.numerator) /
                      static_cast<double>(bound->rounds.denominator) * config.cost.bytes_per_weight /
                      static_cast<double>(network.unit_bytes_per_cycle());
    return best;
}

std::optional<PackedTrees> all_reduce_over_trees(const LinkNetwork& network, const Collective& collective,
                                                 const PackedTreesConfig& config)
{
    const AllReduceHalves halves = all_reduce_halves(collective, spread_roots(network, collective));
    const auto spread = spread_over_trees(network, halves.spread, config);
    if (!spread || config.end.has_come())
        return std::nullopt;
    const auto reduce = spread_over_trees(network, halves.reduce, config);
    if (!reduce || config.end.has_come())
        return std::nullopt;
    Schedule schedule = in_sequence(reduce->schedule, spread->schedule, collective);
    const double cycles = time_of(schedule, network, config.cost);
    return PackedTrees{std::move(schedule), cycles, reduce->bound + spread->bound,
                       reduce->rounds + spread->rounds, reduce->trees + spread->trees};
}

} // namespace nocturne
