#include "schedules/flows/min_cost_flow.hpp"

#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

namespace nocturne {

std::optional<std::vector<std::int32_t>> cheapest_flow(std::size_t vertices, std::span<const CostArc> arcs,
                                                       std::uint32_t source, std::uint32_t sink,
                                                       std::int32_t amount)
{
    using Graph = lemon::SmartDigraph;
    Graph graph;
    graph.reserveNode(static_cast<int>(vertices));
    graph.reserveArc(static_cast<int>(arcs.size()));
    for (std::size_t vertex = 0; vertex < vertices; ++vertex)
        graph.addNode();
    const auto node = [](std::uint32_t vertex) { return Graph::nodeFromId(static_cast<int>(vertex)); };
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
