#include "models/measures/path_spread.hpp"

#include "models/measures/deviation.hpp"
#include "models/measures/latency.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace nocturne::measures {

namespace {

/// The paths of one source after the other.
class SourcePaths {
public:
    explicit SourcePaths(const Graph& graph)
        : graph_(graph), out_(graph.node_count()), in_(graph.node_count()), hops_(graph.node_count()),
          marked_(graph.node_count(), no_node), cost_(graph.node_count()), last_(graph.node_count()),
          used_(graph.arc_count())
    {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            out_[node].assign(graph.arcs_from(node).begin(), graph.arcs_from(node).end());
            in_[node].assign(graph.arcs_to(node).begin(), graph.arcs_to(node).end());
            std::ranges::sort(out_[node], {}, [&](ArcId id) { return place_of(id, graph.opposite(id)); });
            std::ranges::sort(in_[node], {}, [&](ArcId id) {
                const ArcId back = graph.opposite(id);
                return back == no_arc ? place_of(id, back) : place_of(back, id);
            });
        }
    }

    /// Adds the paths of all processors at `source`.
    void add(NodeId source, PathCounts& counts)
    {
        search(source);
        std::ranges::fill(used_, 0);
        std::ranges::fill(marked_, no_node);
        std::uint64_t reached = graph_.ejected(source);
        for (const NodeId destination : queue_) {
            if (destination == source || graph_.ejected(destination) == 0)
                continue;
            reached += graph_.ejected(destination);
            const std::uint64_t paths = std::uint64_t{graph_.injecting(source)} * graph_.ejected(destination);
            find_path(source, destination);
            counts.nodes[source] += paths;
            for (NodeId node = destination; node != source; node = graph_.arc(last_[node]).source) {
                used_[last_[node]] += graph_.ejected(destination);
                counts.nodes[node] += paths;
                counts.arcs[last_[node]] += paths;
            }
        }
        counts.missing += graph_.injecting(source) * (graph_.processor_count() - reached);
    }

    /// Arcs that find_path() looks at for all paths of the source: those counted until they are above `most`.
    double steps(NodeId source, double most)
    {
        search(source);
        std::ranges::fill(marked_, no_node);
        double steps = 0;
        for (const NodeId destination : queue_) {
            if (destination == source || graph_.ejected(destination) == 0)
                continue;
            find_between(destination);
            for (const NodeId node : between_)
                steps += static_cast<double>(in_[node].size());
            if (steps > most)
                break;
        }
        return steps;
    }

private:
    static constexpr NodeId no_node = ~0u;
    static constexpr std::uint32_t far = std::numeric_limits<std::uint32_t>::max();

    /// Where a link has its place among those of a node that sees `id` leave and `back` arrive.
    static std::tuple<bool, ArcId> place_of(ArcId id, ArcId back) { return {id > back, id}; }

    void search(NodeId source)
    {
        std::ranges::fill(hops_, far);
        hops_[source] = 0;
        queue_.assign(1, source);
        for (std::size_t head = 0; head < queue_.size(); ++head)
            for (const ArcId id : out_[queue_[head]]) {
                const NodeId next = graph_.arc(id).target;
                if (hops_[next] == far) {
                    hops_[next] = hops_[queue_[head]] + 1;
                    queue_.push_back(next);
                }
            }
    }

    /// The nodes of all shortest paths to the destination.
    void find_between(NodeId destination)
    {
        between_.assign(1, destination);
        marked_[destination] = destination;
        for (std::size_t head = 0; head < between_.size(); ++head)
            for (const ArcId id : in_[between_[head]]) {
                const NodeId before = graph_.arc(id).source;
                if (is_on_the_way(before, between_[head]) && marked_[before] != destination) {
                    marked_[before] = destination;
                    between_.push_back(before);
                }
            }
    }

    /// Leaves the least used path in `last_`, the arcs over which its nodes are reached.
    void find_path(NodeId source, NodeId destination)
    {
        find_between(destination);
        cost_[source] = 0;
        for (std::size_t i = between_.size(); i-- > 0;) {
            const NodeId node = between_[i];
            if (node == source)
                continue;
            cost_[node] = std::numeric_limits<std::uint64_t>::max();
            for (const ArcId id : in_[node]) {
                const NodeId before = graph_.arc(id).source;
                if (is_on_the_way(before, node) && cost_[before] + used_[id] < cost_[node]) {
                    cost_[node] = cost_[before] + used_[id];
                    last_[node] = id;
                }
            }
        }
    }

    bool is_on_the_way(NodeId before, NodeId node) const
    {
        return hops_[before] != far && hops_[before] + 1 == hops_[node];
    }

    const Graph& graph_;
    std::vector<std::vector<ArcId>> out_; // by node, in the order in which ties are broken
    std::vector<std::vector<ArcId>> in_;
    std::vector<std::uint32_t> hops_; // from the source
    std::vector<NodeId> queue_;
    std::vector<NodeId> marked_;  // the last destination that a node was on the way to
    std::vector<NodeId> between_; // nodes on the way to the destination, it first
    std::vector<std::uint64_t> cost_;
    std::vector<ArcId> last_;
    std::vector<std::uint64_t> used_; // by the paths of this source
};

} // namespace

PathCounts least_used_paths(const Graph& graph)
{
    PathCounts counts{std::vector<std::uint64_t>(graph.node_count()),
                      std::vector<std::uint64_t>(graph.arc_count())};
    SourcePaths paths(graph);
    for (NodeId source = 0; source < graph.node_count(); ++source)
        if (graph.injecting(source) > 0)
            paths.add(source, counts);
    return counts;
}

double path_steps(const Graph& graph, double most)
{
    constexpr NodeId samples = 4;
    const NodeId nodes = graph.node_count();
    SourcePaths paths(graph);
    double steps = 0;
    NodeId taken = 0;
    for (; taken < std::min(samples, nodes) && steps <= most * samples / nodes; ++taken) {
        const auto source = static_cast<NodeId>(std::uint64_t{taken} * nodes / samples);
        if (graph.injecting(source) > 0)
            steps += paths.steps(source, most * samples / nodes);
    }
    return taken == 0 ? 0 : steps / taken * nodes;
}

PathSpread path_spread(const PathCounts& counts)
{
    if (counts.missing > 0)
        return {infinite, infinite};
    return {sample_deviation(counts.nodes), sample_deviation(counts.arcs)};
}

PathSpread path_spread(const Graph& graph)
{
    return path_spread(least_used_paths(graph));
}

} // namespace nocturne::measures
