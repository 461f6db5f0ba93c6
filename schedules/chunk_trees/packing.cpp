#include "schedules/chunk_trees/packing.hpp"

#include "schedules/flows/network_flow.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
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

constexpr double not_reached = std::numeric_limits<double>::infinity();

struct GrowingBatch {
    TreeBatch batch;
    std::vector<double> reached; ///< when, by processor
};

/// For each chunk a tree from where it is to all terminals, each edge in as many trees as it has capacity at
/// most: Edmonds's branchings (Edge-disjoint branchings, 1973), with capacities and in batches as in Bérczi
/// and Frank (Packing arborescences, 2010) and ForestColl (section 5). Batches grow by an edge in turn, for
/// as many of their trees as leave every set of nodes with as many edges into it as trees that have yet to
/// reach it. Of the edges that do, the one with which the new node is reached first by `cycles` (an edge's
/// time for a chunk) is taken. Each takes a maximum flow. Nothing if there are no such trees, if the flows
/// would look at more than `most_work` edges (0 = no limit), or if the end comes first.
class Packer {
public:
    Packer(std::vector<SplitEdge> edges, const std::vector<double>& cycles, const SpreadToAll& spread)
        : edges_(std::move(edges)), cycles_(cycles), spread_(spread)
    {
        for (const std::uint32_t root : spread.terminals)
            if (spread.weights[root] > 0) {
                GrowingBatch batch{{root, static_cast<std::int64_t>(spread.weights[root]), {}},
                                   std::vector<double>(spread.weights.size(), not_reached)};
                batch.reached[root] = 0;
                growing_.push_back(std::move(batch));
            }
    }

    std::optional<std::vector<TreeBatch>> run(std::uint64_t most_work, const SearchEnd& end) &&
    {
        most_work_ = most_work;
        end_ = end;
        std::vector<TreeBatch> done;
        while (!growing_.empty()) {
            if (is_over())
                return std::nullopt;
            const auto smallest = std::ranges::min_element(growing_, [](const auto& a, const auto& b) {
                return a.batch.edges.size() < b.batch.edges.size();
            });
            const auto index = static_cast<std::size_t>(smallest - growing_.begin());
            if (!grow(index))
                return std::nullopt;
            if (growing_[index].batch.edges.size() + 1 == spread_.terminals.size()) {
                done.push_back(std::move(growing_[index].batch));
                growing_.erase(growing_.begin() + static_cast<std::ptrdiff_t>(index));
            }
        }
        return done;
    }

private:
    bool is_over() const { return (most_work_ > 0 && work_ > most_work_) || end_.has_come(); }

    bool grow(std::size_t index)
    {
        struct Candidate {
            double reached;
            std::int64_t capacity;
            std::uint32_t edge;
        };
        std::vector<Candidate> candidates;
        const std::vector<double>& reached = growing_[index].reached;
        for (std::uint32_t id = 0; id < edges_.size(); ++id) {
            const SplitEdge& edge = edges_[id];
            if (edge.capacity > 0 && reached[edge.source] != not_reached &&
                reached[edge.target] == not_reached)
                candidates.push_back({reached[edge.source] + cycles_[id], edge.capacity, id});
        }
        std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
            return std::tie(a.reached, b.capacity, a.edge) < std::tie(b.reached, a.capacity, b.edge);
        });
        return std::ranges::any_of(candidates, [&](const Candidate& candidate) {
            return !is_over() && add(index, candidate.edge, candidate.reached);
        });
    }

    /// Adds the edge to as many trees of the batch as it can; the others become a batch of their own.
    bool add(std::size_t index, std::uint32_t id, double reached)
    {
        SplitEdge& edge = edges_[id];
        const GrowingBatch before = growing_[index];
        const std::int64_t wish = std::min(edge.capacity, before.batch.count);
        const auto place = [&](std::int64_t count) {
            growing_[index] = before;
            growing_[index].batch.count = count;
            growing_[index].batch.edges.push_back(id);
            growing_[index].reached[edge.target] = reached;
            edge.capacity -= count;
            if (count < before.batch.count) {
                growing_.push_back(before);
                growing_.back().batch.count -= count;
            }
        };
        const std::size_t batches = growing_.size();
        place(wish);
        // Sets that lose the edge have its target, and each lacks one for each tree that is too many.
        const std::int64_t lacking = std::min(missing_at(edge.target), wish);
        if (lacking <= 0)
            return true;
        edge.capacity += wish;
        growing_.resize(batches);
        if (lacking == wish) {
            growing_[index] = before;
            return false;
        }
        place(wish - lacking);
        return true;
    }

    /// How many of the trees that are not complete could not all reach the node.
    std::int64_t missing_at(NodeId node)
    {
        work_ += edges_.size();
        const auto nodes = static_cast<std::uint32_t>(spread_.weights.size());
        const std::uint32_t source = nodes;
        MaxFlow flow(nodes + 1 + growing_.size());
        std::int64_t all = 0;
        for (std::uint32_t i = 0; i < growing_.size(); ++i) {
            const GrowingBatch& growing = growing_[i];
            if (growing.reached[node] != not_reached)
                continue; // reaches it already
            all += growing.batch.count;
            if (growing.batch.edges.empty()) {
                flow.add_arc(source, growing.batch.root, growing.batch.count);
                continue;
            }
            flow.add_arc(source, nodes + 1 + i, growing.batch.count);
            for (const std::uint32_t terminal : spread_.terminals)
                if (growing.reached[terminal] != not_reached)
                    flow.add_arc(nodes + 1 + i, terminal, growing.batch.count);
        }
        for (const SplitEdge& edge : edges_)
            if (edge.capacity > 0)
                flow.add_arc(edge.source, edge.target, edge.capacity);
        return all - flow.run(source, node);
    }

    std::vector<SplitEdge> edges_;
    const std::vector<double>& cycles_;
    const SpreadToAll& spread_;
    std::vector<GrowingBatch> growing_;
    std::uint64_t work_ = 0;
    std::uint64_t most_work_ = 0;
    SearchEnd end_;
};

} // namespace

std::optional<LinkPacking> pack(const LinkNetwork& network, const SpreadToAll& spread, std::uint64_t rounds,
                                const PackedTreesConfig& config, const TakesLink& takes)
{
    LinkPacking packing;
    packing.edges = split_off_others(
        network, spread, edges_of_links(network, spread, rounds, slack, config.end, takes), config.end);
    if (least_reception(packing.edges, spread, network.node_count(), config.end) < total_weight(spread))
        return std::nullopt;
    auto batches = Packer(packing.edges, cycles_of(packing.edges, network, config.cost), spread)
                       .run(config.packing_work, config.end);
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
