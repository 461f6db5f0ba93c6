#include "models/measures/connectivity.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace nocturne::measures {

namespace {

constexpr std::uint32_t no_level = ~0u;

/// Dinic's algorithm: shortest augmenting paths, all of one length at a time (S. Even and R. E. Tarjan,
/// Network flow and testing graph connectivity, SIAM J. Comput. 4, 1975: O(sqrt(vertices) * edges) where
/// capacities are 1 and each vertex lets one unit through). Unlike the library functions of Boost it ends as
/// soon as the flow is as large as is of interest, and nothing is built again for the next flow.
class UnitFlow {
public:
    /// `capacities` by edge. Throws std::invalid_argument unless there are as many as edges.
    UnitFlow(std::uint32_t vertices, std::span<const Arc> edges, std::span<const std::uint32_t> capacities)
        : begin_(std::size_t{vertices} + 1), row_(2 * edges.size()), level_(vertices), next_(vertices)
    {
        if (capacities.size() != edges.size())
            throw std::invalid_argument("unit flow: one capacity for each edge");
        for (std::size_t i = 0; i < edges.size(); ++i) {
            target_.push_back(edges[i].target);
            target_.push_back(edges[i].source);
            capacity_.push_back(capacities[i]);
            capacity_.push_back(0);
            ++begin_[edges[i].source + 1];
            ++begin_[edges[i].target + 1];
        }
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        std::vector<std::uint32_t> place = begin_;
        for (std::uint32_t half = 0; half < target_.size(); ++half)
            row_[place[target_[half ^ 1u]]++] = half;
    }

    /// The most that flows from `source` to `sink`, two different vertices, but no more than `limit`.
    std::uint32_t run(std::uint32_t source, std::uint32_t sink, std::uint32_t limit)
    {
        residual_ = capacity_;
        std::uint32_t flow = 0;
        while (flow < limit && find_levels(source, sink)) {
            std::copy(begin_.begin(), begin_.end() - 1, next_.begin());
            while (flow < limit && augment(source, sink))
                ++flow;
        }
        return flow;
    }

private:
    bool find_levels(std::uint32_t source, std::uint32_t sink)
    {
        std::ranges::fill(level_, no_level);
        level_[source] = 0;
        queue_.assign(1, source);
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            const std::uint32_t at = queue_[head];
            for (std::uint32_t i = begin_[at]; i < begin_[at + 1]; ++i) {
                const std::uint32_t next = target_[row_[i]];
                if (residual_[row_[i]] == 0 || level_[next] != no_level)
                    continue;
                level_[next] = level_[at] + 1;
                if (next == sink)
                    return true;
                queue_.push_back(next);
            }
        }
        return false;
    }
    /// One unit along a path of levels that go up; false if there is none.
    bool augment(std::uint32_t source, std::uint32_t sink)
    {
        path_.clear();
        std::uint32_t at = source;
        while (at != sink) {
            const std::uint32_t end = begin_[at + 1];
            std::uint32_t& i = next_[at];
            while (i < end && (residual_[row_[i]] == 0 || level_[target_[row_[i]]] != level_[at] + 1))
                ++i;
            if (i < end) {
                path_.push_back(row_[i]);
                at = target_[row_[i]];
            } else if (path_.empty()) {
                return false;
            } else { // a dead end: its predecessor tries the next edge
                at = target_[path_.back() ^ 1u];
                path_.pop_back();
                ++next_[at];
            }
        }
        for (const std::uint32_t half : path_) {
            --residual_[half];
            ++residual_[half ^ 1u];
        }
        return true;
    }

    std::vector<std::uint32_t> capacity_; // by half-edge: edge e is 2e, its reverse 2e + 1
    std::vector<std::uint32_t> residual_;
    std::vector<std::uint32_t> begin_; // of a vertex in row_, and the end behind the last
    std::vector<std::uint32_t> row_;   // half-edges by the vertex that they leave
    std::vector<std::uint32_t> target_;
    std::vector<std::uint32_t> level_;
    std::vector<std::uint32_t> next_; // half-edge to try, by vertex, a place in row_
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint32_t> path_; // half-edges from the source
};

struct ProcessorNodes {
    std::vector<NodeId> injecting;
    std::vector<NodeId> ejecting;
};

ProcessorNodes processor_nodes(const Graph& graph)
{
    ProcessorNodes nodes;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (graph.injecting(node) > 0)
            nodes.injecting.push_back(node);
        if (graph.ejected(node) > 0)
            nodes.ejecting.push_back(node);
    }
    return nodes;
}

/// Node v becomes the vertices 2v, where its arcs arrive, and 2v + 1, where they leave, joined by one unit.
UnitFlow split_nodes(const Graph& graph)
{
    std::vector<Arc> edges;
    std::vector<std::uint32_t> capacities;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        edges.push_back({2 * node, 2 * node + 1});
        capacities.push_back(1);
    }
    for (const auto& [source, target] : graph.arcs()) {
        edges.push_back({2 * source + 1, 2 * target});
        capacities.push_back(1); // more than one never passes the node at either end
    }
    return UnitFlow(2 * graph.node_count(), edges, capacities);
}

bool is_joined(const Graph& graph, NodeId source, NodeId target)
{
    const auto successors = graph.successors(source);
    return std::ranges::find(successors, target) != successors.end();
}

} // namespace

unsigned smallest_degree(const Graph& graph)
{
    std::size_t smallest = std::numeric_limits<std::size_t>::max();
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        if (graph.injecting(node) > 0)
            smallest = std::min(smallest, graph.arcs_from(node).size());
        if (graph.ejected(node) > 0)
            smallest = std::min(smallest, graph.arcs_to(node).size());
    }
    return graph.processor_count() == 0 ? 0 : static_cast<unsigned>(smallest);
}

unsigned edge_connectivity(const Graph& graph)
{
    const auto [injecting, ejecting] = processor_nodes(graph);
    std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
    UnitFlow flow(graph.node_count(), graph.arcs(), std::vector<std::uint32_t>(graph.arc_count(), 1));
    const auto separate = [&](NodeId source, NodeId target) {
        if (source != target)
            fewest = std::min(fewest, flow.run(source, target, fewest));
    };
    if (graph.is_direct()) {
        // What cuts any two apart cuts the first one off from one of them.
        for (const NodeId other : injecting) {
            separate(injecting.front(), other);
            if (!graph.is_bidirectional())
                separate(other, injecting.front());
        }
    } else {
        for (const NodeId source : injecting)
            for (const NodeId target : ejecting)
                separate(source, target);
    }
    return fewest == std::numeric_limits<std::uint32_t>::max() ? 0 : fewest;
}

unsigned vertex_connectivity(const Graph& graph)
{
    const auto [injecting, ejecting] = processor_nodes(graph);
    const std::size_t terminals = std::max(injecting.size(), ejecting.size());
    if (terminals < 2)
        return 0;
    constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t fewest = unknown;
    UnitFlow flow = split_nodes(graph);
    const auto separate = [&](NodeId source, NodeId target) {
        if (source != target && !is_joined(graph, source, target))
            fewest = std::min(fewest, flow.run(2 * source + 1, 2 * target, fewest));
    };
    // In a direct network one of any fewest + 1 nodes with processors survives the failures, and is then cut
    // off from some other.
    for (std::size_t i = 0; i < injecting.size() && (i <= fewest || !graph.is_direct()); ++i)
        for (const NodeId other : ejecting) {
            separate(injecting[i], other);
            if (graph.is_direct() && !graph.is_bidirectional())
                separate(other, injecting[i]);
        }
    return fewest == unknown ? static_cast<unsigned>(terminals - 1) : fewest;
}

} // namespace nocturne::measures
