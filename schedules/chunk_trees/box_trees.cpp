#include "schedules/chunk_trees/box_trees.hpp"

#include "schedules/chunk_search/processor_grid.hpp"
#include "schedules/chunk_trees/packing.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

/// Between two of a column, at most, which chunks take in turn.
constexpr std::size_t ways_of_columns = 8;

/// Which batch each chunk of a root takes: of each as many as it has trees, evenly mixed.
std::vector<std::uint32_t> batches_in_turn(const std::vector<TreeBatch>& batches, NodeId root)
{
    std::vector<std::pair<double, std::uint32_t>> turns;
    for (std::uint32_t i = 0; i < batches.size(); ++i)
        if (batches[i].root == root)
            for (std::int64_t k = 0; k < batches[i].count; ++k)
                turns.emplace_back((static_cast<double>(k) + 0.5) / static_cast<double>(batches[i].count), i);
    std::ranges::sort(turns);
    std::vector<std::uint32_t> result;
    for (const auto& [turn, batch] : turns)
        result.push_back(batch);
    return result;
}

/// Cycles that the fullest link is busy with them.
double busiest(const std::vector<ChunkTree>& trees, const LinkNetwork& network, const AlphaBeta& cost)
{
    std::vector<double> busy(network.link_count(), 0);
    for (const ChunkTree& tree : trees)
        for (const TreeHop& hop : tree.hops)
            for (const LinkId link : hop.path)
                busy[link] += cost.bytes_per_weight / static_cast<double>(network.link(link).bytes_per_cycle);
    return *std::ranges::max_element(busy);
}

class BoxTreeFinder {
public:
    BoxTreeFinder(const LinkNetwork& network, const Collective& copied, const SpreadToAll& spread,
                  const PackedTreesConfig& config)
        : network_(network), spread_(spread), config_(config),
          problem_(make_timed_problem(network, copied, config.cost, ways_of_columns))
    {
    }

    BoxTrees find()
    {
        std::vector<Tree> best;
        double least = 0;
        BoxTrees result;
        for (const Boxes& boxes : boxes_of(network_)) {
            auto grid = grid_of_columns(boxes, spread_.terminals, problem_);
            if (!grid)
                continue;
            grid_ = std::move(*grid);
            if (!pack_all(boxes))
                continue;
            std::vector<Tree> found;
            std::vector<ChunkTree> trees = make_trees(found);
            const double busy = busiest(trees, network_, config_.cost);
            if (!result.trees.empty() && least <= busy)
                continue;
            least = busy;
            result.trees = std::move(trees);
            best = std::move(found);
        }
        result.order = order_of(result.trees, best);
        return result;
    }

private:
    struct PackedBox {
        LinkPacking packing;
        std::vector<std::vector<std::uint32_t>> turns; ///< by column: batches of its chunks
    };

    /// What a tree's place in the order depends on.
    struct Tree {
        std::size_t turn;                     ///< of its chunk among those of its root
        std::vector<std::uint32_t> distances; ///< by hop: to how far a box it crosses; 0: inside one
    };

    bool pack_all(const Boxes& boxes)
    {
        packed_.clear();
        for (std::uint32_t row = 0; row < grid_.sizes[1]; ++row) {
            const auto members = std::span(grid_.members).subspan(row * grid_.sizes[0], grid_.sizes[0]);
            const auto box = std::ranges::find_if(
                boxes, [&](const auto& nodes) { return std::ranges::binary_search(nodes, members.front()); });
            SpreadToAll own{
                {members.begin(), members.end()}, std::vector<std::uint64_t>(spread_.weights.size(), 0), {}};
            std::ranges::sort(own.terminals);
            for (std::uint32_t member = 0; member < grid_.members.size(); ++member)
                own.weights[members[grid_.coordinate(member, 0)]] += spread_.weights[grid_.members[member]];
            auto packing = pack_in_few_rounds(network_, own, config_, [&](LinkId id) {
                return std::ranges::binary_search(*box, network_.link(id).source) &&
                       std::ranges::binary_search(*box, network_.link(id).target);
            });
            if (!packing)
                return false;
            PackedBox packed{std::move(*packing), {}};
            for (const NodeId root : members)
                packed.turns.push_back(batches_in_turn(packed.packing.batches, root));
            packed_.push_back(std::move(packed));
        }
        return true;
    }

    const std::vector<ChunkId>& chunks_of(std::uint32_t row, std::uint32_t column) const
    {
        return spread_.chunks_from[grid_.members[row * grid_.sizes[0] + column]];
    }

    std::vector<ChunkTree> make_trees(std::vector<Tree>& found) const
    {
        std::vector<ChunkTree> trees;
        for (std::uint32_t column = 0; column < grid_.sizes[0]; ++column) {
            std::size_t most = 0, of_column = 0;
            for (std::uint32_t row = 0; row < grid_.sizes[1]; ++row)
                most = std::max(most, chunks_of(row, column).size());
            for (std::size_t turn = 0; turn < most; ++turn)
                for (std::uint32_t row = 0; row < grid_.sizes[1]; ++row)
                    if (turn < chunks_of(row, column).size()) {
                        found.push_back({turn, {}});
                        trees.push_back({hops_from(row, column, of_column++, found.back().distances),
                                         {chunks_of(row, column)[turn]}});
                    }
        }
        return trees;
    }

    /// `of_column`: the turn of the chunk among those of the column.
    std::vector<TreeHop> hops_from(std::uint32_t row, std::uint32_t column, std::size_t of_column,
                                   std::vector<std::uint32_t>& distances) const
    {
        const NodeId root = grid_.members[row * grid_.sizes[0] + column];
        std::vector<TreeHop> hops;
        for (std::uint32_t distance = 0; distance < grid_.sizes[1]; ++distance) {
            const std::uint32_t there = (row + distance) % grid_.sizes[1];
            const NodeId mate = grid_.members[there * grid_.sizes[0] + column];
            std::optional<std::uint32_t> crossing;
            if (mate != root) {
                const auto ways = hops_between(problem_, root, mate);
                crossing = static_cast<std::uint32_t>(hops.size());
                hops.push_back({root, mate, problem_.hops[ways[of_column % ways.size()]].path, std::nullopt});
                distances.push_back(distance);
            }
            const PackedBox& box = packed_[there];
            const TreeBatch& batch = box.packing.batches[box.turns[column][of_column]];
            const auto first = static_cast<std::uint32_t>(hops.size());
            for (TreeHop& hop : hops_of(batch, box.packing.edges, network_)) {
                hop.before = hop.before ? std::optional(*hop.before + first) : crossing;
                hops.push_back(std::move(hop));
                distances.push_back(0);
            }
        }
        return hops;
    }

    std::vector<HopStart> order_of(const std::vector<ChunkTree>& trees, const std::vector<Tree>& found) const
    {
        // Inside, turn, distance or what is left of the way, negative; tree, hop.
        std::vector<std::tuple<bool, std::size_t, double, std::uint32_t, std::uint32_t>> order;
        for (std::uint32_t tree = 0; tree < trees.size(); ++tree) {
            const std::vector<TreeHop>& hops = trees[tree].hops;
            std::vector<double> ways(hops.size(), 0); ///< by hop: from its start to the last end behind it
            for (auto hop = static_cast<std::uint32_t>(hops.size()); hop-- > 0;) {
                ways[hop] += path_time(hops[hop].path, network_, config_.cost)
                                 .of(config_.cost.bytes_per_weight, config_.cost)
                                 .duration;
                if (const auto before = hops[hop].before)
                    ways[*before] = std::max(ways[*before], ways[hop]);
                const std::uint32_t distance = found[tree].distances[hop];
                order.emplace_back(distance == 0, found[tree].turn, distance > 0 ? distance : -ways[hop],
                                   tree, hop);
            }
        }
        std::ranges::sort(order);
        std::vector<HopStart> starts;
        for (const auto& [is_inside, turn, key, tree, hop] : order)
            starts.push_back({tree, hop, trees[tree].chunks.front(), 0, 0});
        return starts;
    }

    const LinkNetwork& network_;
    const SpreadToAll& spread_;
    const PackedTreesConfig& config_;
    TimedProblem problem_;
    ProcessorGrid grid_;
    std::vector<PackedBox> packed_; ///< by row of the grid
};

} // namespace

BoxTrees trees_in_boxes(const LinkNetwork& network, const Collective& copied, const SpreadToAll& spread,
                        const PackedTreesConfig& config)
{
    return BoxTreeFinder(network, copied, spread, config).find();
}

} // namespace nocturne
