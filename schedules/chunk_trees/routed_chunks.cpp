#include "schedules/chunk_trees/routed_chunks.hpp"

#include "models/routing/random.hpp"
#include "schedules/chunk_trees/hop_order.hpp"
#include "schedules/chunk_trees/path_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

ChunkedSchedule empty_schedule(const ChunkedCollective& collective, const LinkNetwork& network,
                               ChunkSynchronization synchronization)
{
    ChunkedSchedule schedule;
    schedule.name = fmt::format("{} over even paths", to_string(collective.kind));
    schedule.source = "flows rounded to chunks";
    schedule.topology = network.name();
    schedule.collective = collective;
    schedule.synchronization = synchronization;
    return schedule;
}

/// A hop ends where chunks can be stored.
ChunkTree chain_of(const std::vector<LinkId>& path, const LinkNetwork& network)
{
    ChunkTree tree;
    std::vector<LinkId> links;
    for (const LinkId id : path) {
        links.push_back(id);
        const NodeId target = network.link(id).target;
        if (network.kind(target) == NodeKind::plain_switch)
            continue;
        const auto count = static_cast<std::uint32_t>(tree.hops.size());
        tree.hops.push_back({network.link(links.front()).source, target, links,
                             count > 0 ? std::optional{count - 1} : std::nullopt});
        links.clear();
    }
    return tree;
}

/// One tree for all chunks that take the same path.
std::vector<ChunkTree> chains_of(const ChunkPaths& chosen, const LinkNetwork& network)
{
    std::map<std::vector<LinkId>, std::size_t> known;
    std::vector<ChunkTree> trees;
    for (ChunkId chunk = 0; chunk < chosen.paths.size(); ++chunk) {
        if (chosen.paths[chunk].empty())
            continue;
        const auto [found, is_new] = known.try_emplace(chosen.paths[chunk], trees.size());
        if (is_new)
            trees.push_back(chain_of(chosen.paths[chunk], network));
        trees[found->second].chunks.push_back(chunk);
    }
    return trees;
}

bool has_unit_weights(const ChunkedCollective& collective)
{
    return std::all_of(collective.chunks.begin(), collective.chunks.end(),
                       [](const Chunk& chunk) { return chunk.weight == 1; });
}

/// A chunk, and how many of its hops are done.
struct Travelling {
    const std::vector<TreeHop>* hops;
    ChunkId chunk;
    std::uint32_t done;
    std::uint32_t turn; ///< decides between equals
};

/// All chunks at once, step by step.
ChunkedSchedule step_by_step(ChunkedSchedule schedule, const std::vector<ChunkTree>& trees,
                             const LinkNetwork& network, std::uint64_t seed)
{
    SplitMix64 random{seed};
    std::vector<Travelling> travelling;
    for (const ChunkTree& tree : trees)
        for (const ChunkId chunk : tree.chunks)
            travelling.push_back({&tree.hops, chunk, 0, static_cast<std::uint32_t>(random() >> 32)});
    for (std::uint32_t step = 0; !travelling.empty(); ++step) {
        std::sort(travelling.begin(), travelling.end(), [](const Travelling& a, const Travelling& b) {
            return std::make_tuple(b.hops->size() - b.done, a.turn) <
                   std::make_tuple(a.hops->size() - a.done, b.turn);
        });
        std::vector<std::uint64_t> carried(network.link_count(), 0);
        for (Travelling& one : travelling) {
            const TreeHop& hop = (*one.hops)[one.done];
            if (std::any_of(hop.path.begin(), hop.path.end(),
                            [&](LinkId link) { return carried[link] == network.units(link); }))
                continue;
            for (const LinkId link : hop.path)
                ++carried[link];
            ChunkTransfer transfer{hop.source, hop.target, one.chunk, one.chunk};
            transfer.path = hop.path;
            transfer.step = step;
            schedule.transfers.push_back(std::move(transfer));
            ++one.done;
        }
        schedule.rounds.push_back(1);
        std::erase_if(travelling, [](const Travelling& one) { return one.done == one.hops->size(); });
    }
    return schedule;
}

} // namespace

std::optional<RoutedChunks> route_in_time(const LinkNetwork& network, const ChunkedCollective& collective,
                                          const RoutedConfig& config)
{
    const auto chosen = has_unit_weights(collective)
                            ? choose_paths(network, collective, config.passes, config.seed)
                            : std::nullopt;
    if (!chosen)
        return std::nullopt;
    const std::vector<ChunkTree> trees = chains_of(*chosen, network);
    std::optional<RoutedChunks> best;
    for (std::uint32_t run = 0; run < std::max(config.runs, 1U); ++run) {
        RoutedChunks found{empty_schedule(collective, network, ChunkSynchronization::dependencies), 0,
                           chosen->rounds};
        std::vector<std::uint32_t> last(collective.chunks.size(), 0); // transfer of a chunk
        for (const HopStart& one : order_hops(network, trees, config.cost, config.seed + run)) {
            const TreeHop& hop = trees[one.tree].hops[one.hop];
            ChunkTransfer transfer{hop.source, hop.target, one.chunk, one.chunk};
            transfer.path = hop.path;
            if (hop.before)
                transfer.after.push_back(last[one.chunk]);
            last[one.chunk] = static_cast<std::uint32_t>(found.schedule.transfers.size());
            found.schedule.transfers.push_back(std::move(transfer));
        }
        found.cycles = time_of(found.schedule, network, config.cost);
        if (!best || found.cycles < best->cycles)
            best = std::move(found);
    }
    return best;
}

std::optional<RoutedChunks> route_in_steps(const LinkNetwork& network, const ChunkedCollective& collective,
                                           const RoutedConfig& config)
{
    if (!has_unit_weights(collective))
        return std::nullopt;
    std::optional<RoutedChunks> best;
    for (std::uint32_t run = 0; run < std::max(config.runs, 1U); ++run) {
        const auto chosen = choose_paths(network, collective, config.passes, config.seed + run);
        if (!chosen)
            return std::nullopt;
        RoutedChunks found{step_by_step(empty_schedule(collective, network, ChunkSynchronization::steps),
                                        chains_of(*chosen, network), network, config.seed + run),
                           0, chosen->rounds};
        found.cycles = time_of(found.schedule, network, config.cost);
        if (!best || found.schedule.rounds.size() < best->schedule.rounds.size())
            best = std::move(found);
        if (best->schedule.rounds.size() == best->rounds)
            break;
    }
    return best;
}

} // namespace nocturne
