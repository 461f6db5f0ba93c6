#include "models/measures/connectivity.hpp"

#include <algorithm>
#include <cstdint>
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>
#include <limits>
#include <span>
#include <vector>

namespace nocturne::measures {

namespace {

/// Maximum flows between one pair of vertices after the other, where each edge takes one unit: push-relabel
/// of the highest label, by LEMON.
class UnitFlow {
public:
    UnitFlow(std::uint32_t vertices, std::span<const Arc> edges)
        : capacity_(graph_), flow_(graph_, capacity_, node(0), node(1))
    {
        for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
            graph_.addNode();
        for (const auto& [source, target] : edges)
            capacity_[graph_.addArc(node(source), node(target))] = 1;
    }

    /// The most that flows from `source` to `sink`, two different vertices.
    std::uint32_t run(std::uint32_t source, std::uint32_t sink)
    {
        flow_.source(node(source)).target(node(sink)).runMinCut();
        return static_cast<std::uint32_t>(flow_.flowValue());
    }

private:
    using FlowGraph = lemon::SmartDigraph;

    static FlowGraph::Node node(std::uint32_t vertex)
    {
        return FlowGraph::nodeFromId(static_cast<int>(vertex));
    }

    FlowGraph graph_;
    FlowGraph::ArcMap<int> capacity_;
    lemon::Preflow<FlowGraph, FlowGraph::ArcMap<int>> flow_;
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
std::vector<Arc> split_nodes(const Graph& graph)
{
    std::vector<Arc> edges;
    for (NodeId node = 0; node < graph.node_count(); ++node)
        edges.push_back({2 * node, 2 * node + 1});
    for (const auto& [source, target] : graph.arcs())
        edges.push_back({2 * source + 1, 2 * target}); // more than one never passes the node at either end
    return edges;
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
    UnitFlow flow(graph.node_count(), graph.arcs());
    const auto separate = [&](NodeId source, NodeId target) {
        if (source != target)
            fewest = std::min(fewest, flow.run(source, target));
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
    UnitFlow flow(2 * graph.node_count(), split_nodes(graph));
    const auto separate = [&](NodeId source, NodeId target) {
        if (source != target && !is_joined(graph, source, target))
            fewest = std::min(fewest, flow.run(2 * source + 1, 2 * target));
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
