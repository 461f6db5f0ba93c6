#include "tests/models/measures/graphs.hpp"

#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne::test {

using namespace measures;

Graph random_links(std::uint64_t seed, NodeId nodes, unsigned links)
{
    SplitMix64 random(seed);
    std::vector<Arc> list;
    while (list.size() < links) {
        const Arc link{random.below(nodes), random.below(nodes)};
        if (link.source != link.target)
            list.push_back(link);
    }
    return graph_of_links(nodes, list);
}

Graph random_arcs(std::uint64_t seed, NodeId nodes, unsigned arcs)
{
    SplitMix64 random(seed);
    std::vector<Arc> list;
    for (unsigned i = 0; i < arcs; ++i)
        list.push_back({random.below(nodes), random.below(nodes)});
    return graph_of_arcs(nodes, list);
}

Graph renumbered(std::uint64_t seed, const Graph& graph)
{
    SplitMix64 random(seed);
    std::vector<NodeId> number(graph.node_count());
    std::iota(number.begin(), number.end(), 0u);
    for (NodeId i = graph.node_count(); i > 1; --i)
        std::swap(number[i - 1], number[random.below(i)]);
    GraphParts parts{.nodes = graph.node_count(),
                     .opposites = {graph.opposites().begin(), graph.opposites().end()},
                     .lengths = {graph.lengths().begin(), graph.lengths().end()}};
    for (const auto& [source, target] : graph.arcs())
        parts.arcs.push_back({number[source], number[target]});
    for (const auto& [injection, ejection] : graph.processors())
        parts.processors.push_back({number[injection], number[ejection]});
    return Graph(std::move(parts));
}

std::vector<std::vector<unsigned>> all_distances(const Graph& graph)
{
    const NodeId nodes = graph.node_count();
    std::vector<std::vector<unsigned>> hops(nodes, std::vector<unsigned>(nodes, unjoined));
    for (const auto& [source, target] : graph.arcs())
        hops[source][target] = 1;
    for (NodeId node = 0; node < nodes; ++node)
        hops[node][node] = 0;
    for (NodeId via = 0; via < nodes; ++via)
        for (NodeId from = 0; from < nodes; ++from)
            for (NodeId to = 0; to < nodes; ++to)
                hops[from][to] = std::min(hops[from][to], hops[from][via] + hops[via][to]);
    return hops;
}

Graph graph_from(const char* spec)
{
    return graph_of(make_topology(spec));
}

} // namespace nocturne::test
