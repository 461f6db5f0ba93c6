#include "schedules/flows/max_flow.hpp"

#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

namespace nocturne {

std::int64_t MaxFlow::run(std::uint32_t source, std::uint32_t sink)
{
    using Graph = lemon::SmartDigraph;
    // All arcs are turned round: then the vertices that lead to LEMON's target in what is left of the
    // capacities are those that the source leads to, whatever the flow, and its first phase, without a flow
    // in the end, is enough.
    Graph turned;
    turned.reserveNode(static_cast<int>(vertices_));
    turned.reserveArc(static_cast<int>(arcs_.size()));
    for (std::size_t vertex = 0; vertex < vertices_; ++vertex)
        turned.addNode();
    const auto node = [](std::uint32_t vertex) { return Graph::nodeFromId(static_cast<int>(vertex)); };
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

} // namespace nocturne
