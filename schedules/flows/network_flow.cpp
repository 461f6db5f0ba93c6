#include "schedules/flows/network_flow.hpp"

#include <lemon/network_simplex.h>
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

namespace nocturne {
namespace {

using Graph = lemon::SmartDigraph;

/// With so many vertices, and room for the arcs.
void begin_graph(Graph& graph, std::size_t vertices, std::size_t arcs)
{
    graph.reserveNode(static_cast<int>(vertices));
    graph.reserveArc(static_cast<int>(arcs));
    for (std::size_t vertex = 0; vertex < vertices; ++vertex)
        graph.addNode();
}

Graph::Node node(std::uint32_t vertex)
{
    return Graph::nodeFromId(static_cast<int>(vertex));
}

} // namespace

std::int64_t MaxFlow::run(std::uint32_t source, std::uint32_t sink)
{
    // All arcs are turned round: then the vertices that lead to LEMON's target in what is left of the
    // capacities are those that the source leads to, whatever the flow, and its first phase, without a flow
    // in the end, is enough.
    Graph turned;
    begin_graph(turned, vertices_, arcs_.size());
    Graph::ArcMap<std::int64_t> capacity(turned);
    for (const Arc& arc : arcs_)
        capacity[turned.addArc(node(arc.to), node(arc.from))] = arc.capacity;
    lemon::Preflow<Graph, Graph::ArcMap<std::int64_t>> flow(turned, capacity, node(sink), node(source));
    flow.runMinCut();

    is_on_source_side_.assign(vertices_, false);
    std::vector<Graph::Node> reached;
    const auto reach = [&](Graph::Node next) {
        const auto vertex = static_cast<std::size_t>(Graph::id(next));
        if (!is_on_source_side_[vertex])
            reached.push_back(next);
        is_on_source_side_[vertex] = true;
    };
    reach(node(source));
    while (!reached.empty()) {
        const Graph::Node at = reached.back();
        reached.pop_back();
        for (Graph::InArcIt arc(turned, at); arc != lemon::INVALID; ++arc)
            if (flow.flow(arc) < capacity[arc])
                reach(turned.source(arc));
        for (Graph::OutArcIt arc(turned, at); arc != lemon::INVALID; ++arc)
            if (flow.flow(arc) > 0)
                reach(turned.target(arc));
    }
    return flow.flowValue();
}

std::optional<std::vector<std::int32_t>> cheapest_flow(std::size_t vertices, std::span<const CostArc> arcs,
                                                       std::uint32_t source, std::uint32_t sink,
                                                       std::int32_t amount)
{
    Graph graph;
    begin_graph(graph, vertices, arcs.size());
    Graph::ArcMap<std::int32_t> capacity(graph), cost(graph);
    for (const CostArc& arc : arcs) {
        const Graph::Arc added = graph.addArc(node(arc.from), node(arc.to));
        capacity[added] = arc.capacity;
        cost[added] = arc.cost;
    }
    using Simplex = lemon::NetworkSimplex<Graph, std::int32_t, std::int64_t>;
    Simplex simplex(graph);
    simplex.upperMap(capacity).costMap(cost).stSupply(node(source), node(sink), amount);
    if (simplex.run() != Simplex::OPTIMAL)
        return std::nullopt;
    std::vector<std::int32_t> flow;
    for (std::size_t arc = 0; arc < arcs.size(); ++arc)
        flow.push_back(simplex.flow(Graph::arcFromId(static_cast<int>(arc))));
    return flow;
}

} // namespace nocturne
