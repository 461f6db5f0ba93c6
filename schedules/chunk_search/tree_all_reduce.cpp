#include "schedules/chunk_search/tree_all_reduce.hpp"

#include "models/routing/random.hpp"
#include "schedules/chunk_search/turned_network.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace nocturne {
namespace {

/// Two links between the same processors, one each way.
struct Edge {
    NodeId a, b;
    LinkId from_a, from_b;
    std::uint64_t units;
};

/// Nothing if a link has no partner.
std::optional<std::vector<Edge>> edges_of(const LinkNetwork& network)
{
    const std::vector<LinkId> partners = partners_of(network);
    std::vector<Edge> edges;
    for (LinkId id = 0; id < network.link_count(); ++id) {
        const LinkId partner = partners[id];
        if (partner == no_partner)
            return std::nullopt;
        if (partner < id)
            edges.push_back(
                {network.link(id).target, network.link(id).source, partner, id, network.units(id)});
    }
    return edges;
}

using Tree = std::vector<std::uint32_t>; ///< indices of edges

class TreePacking {
public:
    TreePacking(std::vector<Edge> edges, std::uint32_t nodes, const TreeConfig& config)
        : edges_(std::move(edges)), nodes_(nodes), load_(edges_.size(), 0), random_(config.seed)
    {
    }

    /// A tree for each chunk; empty if the network is not connected, or the end comes first.
    std::vector<Tree> pack(const std::vector<Chunk>& chunks, std::uint32_t passes, const SearchEnd& end)
    {
        std::vector<Tree> trees(chunks.size());
        for (std::uint32_t pass = 0; pass <= passes; ++pass)
            for (std::size_t c = 0; c < chunks.size(); ++c) {
                if (end.has_come())
                    return {};
                for (const std::uint32_t edge : trees[c])
                    load_[edge] -= chunks[c].weight;
                trees[c] = lightest_tree(chunks[c].weight);
                if (trees[c].size() + 1 < nodes_)
                    return {};
                for (const std::uint32_t edge : trees[c])
                    load_[edge] += chunks[c].weight;
            }
        return trees;
    }

private:
    /// Kruskal's, by what the edge would have to carry for its units: the fullest edge is as empty as it can
    /// be. Chance decides between equals.
    Tree lightest_tree(std::uint64_t weight)
    {
        order_.clear();
        for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
            const double fullness =
                static_cast<double>(load_[edge] + weight) / static_cast<double>(edges_[edge].units);
            order_.emplace_back(fullness, random_(), edge);
        }
        std::sort(order_.begin(), order_.end());
        std::vector<NodeId> parent(nodes_);
        std::iota(parent.begin(), parent.end(), 0u);
        const auto root = [&](NodeId node) {
            while (parent[node] != node)
                node = parent[node] = parent[parent[node]];
            return node;
        };
        Tree tree;
        for (const auto& [fullness, chance, edge] : order_) {
            const NodeId a = root(edges_[edge].a), b = root(edges_[edge].b);
            if (a == b)
                continue;
            parent[a] = b;
            tree.push_back(edge);
        }
        return tree;
    }

    std::vector<Edge> edges_;
    std::uint32_t nodes_;
    std::vector<std::uint64_t> load_; ///< of each direction
    SplitMix64 random_;
    std::vector<std::tuple<double, std::uint64_t, std::uint32_t>> order_;
};

/// A tree hung up at its centre.
struct RootedTree {
    struct Node {
        LinkId up = 0, down = 0; ///< to the parent, and from it; none at the root
        NodeId parent = 0;
        std::vector<NodeId> children;
    };
    NodeId root = 0;
    std::vector<Node> nodes;
};

class RootedTreeMaker {
public:
    RootedTreeMaker(const std::vector<Edge>& edges, const Tree& tree, std::uint32_t nodes) : near_(nodes)
    {
        for (const std::uint32_t index : tree) {
            const Edge& edge = edges[index];
            near_[edge.a].push_back({edge.b, edge.from_a, edge.from_b});
            near_[edge.b].push_back({edge.a, edge.from_b, edge.from_a});
        }
    }

    RootedTree make() const
    {
        // The middle of a longest path: from any node to the farthest, from there to the farthest, half back.
        const RootedTree first = hang(farthest(hang(0)));
        NodeId centre = farthest(first);
        for (std::uint32_t half = depth(first, centre) / 2; half > 0; --half)
            centre = first.nodes[centre].parent;
        return hang(centre);
    }

private:
    struct Neighbour {
        NodeId node;
        LinkId to, back;
    };

    RootedTree hang(NodeId root) const
    {
        RootedTree tree{root, std::vector<RootedTree::Node>(near_.size())};
        std::vector<NodeId> open{root};
        for (std::size_t i = 0; i < open.size(); ++i)
            for (const auto& [node, to, back] : near_[open[i]])
                if (open[i] == root || node != tree.nodes[open[i]].parent) {
                    tree.nodes[node] = {back, to, open[i], {}};
                    tree.nodes[open[i]].children.push_back(node);
                    open.push_back(node);
                }
        return tree;
    }

    static std::uint32_t depth(const RootedTree& tree, NodeId node)
    {
        std::uint32_t result = 0;
        for (; node != tree.root; node = tree.nodes[node].parent)
            ++result;
        return result;
    }

    static NodeId farthest(const RootedTree& tree)
    {
        NodeId best = tree.root;
        for (NodeId node = 0; node < tree.nodes.size(); ++node)
            if (depth(tree, node) > depth(tree, best))
                best = node;
        return best;
    }

    std::vector<std::vector<Neighbour>> near_;
};

/// Sends chunks step by step, on each link those of the lowest numbers first.
class TreePipeline {
public:
    TreePipeline(const LinkNetwork& network, const Collective& collective,
                 const std::vector<RootedTree>& trees)
        : network_(network), chunks_(collective.chunks), trees_(trees), ready_(network.link_count()),
          missing_(trees.size(), std::vector<std::uint32_t>(network.processor_count()))
    {
    }

    std::vector<Step> run()
    {
        for (ChunkId c = 0; c < trees_.size(); ++c)
            for (NodeId node = 0; node < network_.processor_count(); ++node) {
                missing_[c][node] = static_cast<std::uint32_t>(trees_[c].nodes[node].children.size());
                if (missing_[c][node] == 0)
                    add_up(c, node);
            }
        std::vector<Step> steps;
        while (open_ > 0) {
            Step& step = steps.emplace_back();
            for (LinkId link = 0; link < network_.link_count(); ++link)
                fill(link, step);
            for (const Transfer& transfer : step)
                arrive(transfer.message, transfer.destination, transfer.operation);
        }
        return steps;
    }

private:
    void make_ready(LinkId link, ChunkId chunk, Operation operation)
    {
        ready_[link].emplace(chunk, operation);
        ++open_;
    }

    /// The node has the sum of all below it.
    void add_up(ChunkId chunk, NodeId node)
    {
        if (node == trees_[chunk].root)
            spread(chunk, node);
        else
            make_ready(trees_[chunk].nodes[node].up, chunk, Operation::add);
    }

    void spread(ChunkId chunk, NodeId node)
    {
        for (const NodeId child : trees_[chunk].nodes[node].children)
            make_ready(trees_[chunk].nodes[child].down, chunk, Operation::copy);
    }

    void fill(LinkId link, Step& step)
    {
        std::uint64_t carried = 0;
        auto& ready = ready_[link];
        while (!ready.empty()) {
            const auto [chunk, operation] = *ready.begin();
            if (carried > 0 && carried + chunks_[chunk].weight > network_.units(link))
                return;
            carried += chunks_[chunk].weight;
            ready.erase(ready.begin());
            --open_;
            step.emplace_back(chunk, network_.link(link).source, network_.link(link).target, Path{link},
                              operation);
        }
    }

    void arrive(ChunkId chunk, NodeId node, Operation operation)
    {
        if (operation == Operation::copy)
            spread(chunk, node);
        else if (--missing_[chunk][node] == 0)
            add_up(chunk, node);
    }

    const LinkNetwork& network_;
    const std::vector<Chunk>& chunks_;
    const std::vector<RootedTree>& trees_;
    std::vector<std::set<std::pair<ChunkId, Operation>>> ready_; ///< by link
    std::vector<std::vector<std::uint32_t>> missing_; ///< by chunk and node: children not yet added
    std::size_t open_ = 0;
};

bool is_of_all(const LinkNetwork& network, const Collective& collective)
{
    return collective.kind == CollectiveKind::allreduce &&
           collective.processors == network.processor_count() &&
           network.node_count() == network.processor_count() &&
           std::all_of(collective.chunks.begin(), collective.chunks.end(), [&](const Chunk& chunk) {
               return chunk.contributors.size() == network.processor_count();
           });
}

} // namespace

std::optional<Schedule> all_reduce_by_trees(const LinkNetwork& network, const Collective& collective,
                                            const TreeConfig& config)
{
    const auto edges = edges_of(network);
    if (!is_of_all(network, collective) || !edges)
        return std::nullopt;
    TreePacking packing{*edges, network.processor_count(), config};
    const std::vector<Tree> packed = packing.pack(collective.chunks, config.passes, config.end);
    if (packed.empty())
        return std::nullopt;
    std::vector<RootedTree> trees;
    for (const Tree& tree : packed)
        trees.push_back(RootedTreeMaker{*edges, tree, network.processor_count()}.make());
    Schedule schedule =
        empty_schedule("by trees", network.name(), collective, ScheduleSynchronization::steps);
    schedule.steps = TreePipeline{network, collective, trees}.run();
    set_least_rounds(schedule, network);
    return schedule;
}

Schedule trees_without_barriers(const Schedule& schedule)
{
    Schedule result = empty_schedule(schedule.name, schedule.topology, schedule.collective,
                                     ScheduleSynchronization::dependencies);
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> came; // by node and place
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            const std::uint32_t id =
                append_transfer(result, transfer, came[place_key(transfer.source, transfer.message)]);
            auto& here = came[place_key(transfer.destination, transfer.to)];
            if (transfer.operation == Operation::copy) // the sum, which no node has sent on but for this
                here.clear();
            here.push_back(id);
        }
    return result;
}

} // namespace nocturne
