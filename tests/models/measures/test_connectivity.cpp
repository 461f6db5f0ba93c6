#include "models/measures/connectivity.hpp"
#include "models/routing/random.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace nocturne::connectivity_test {

using namespace measures;
using namespace test;

namespace {

/// Does every processor that is left reach every other one?
bool holds_together(const Graph& graph)
{
    const auto hops = all_distances(graph);
    for (const Attachment& from : graph.processors())
        for (const Attachment& to : graph.processors())
            if (from.injection != to.ejection && hops[from.injection][to.ejection] >= unjoined)
                return false;
    return true;
}

/// The fewest links (arcs, where they are one-way) of all sets whose loss takes the network apart.
unsigned edge_connectivity_by_sets(const Graph& graph)
{
    const std::vector<ArcId> links = links_of(graph);
    auto fewest = static_cast<unsigned>(links.size());
    for (std::uint32_t set = 0; set < 1u << links.size(); ++set) {
        if (static_cast<unsigned>(std::popcount(set)) >= fewest)
            continue;
        GraphFaults faults;
        for (std::size_t i = 0; i < links.size(); ++i)
            if (set >> i & 1) {
                faults.arcs.push_back(links[i]);
                if (graph.opposite(links[i]) != no_arc)
                    faults.arcs.push_back(graph.opposite(links[i]));
            }
        if (!holds_together(without(graph, faults)))
            fewest = static_cast<unsigned>(std::popcount(set));
    }
    return fewest;
}

/// Of all sets of nodes the smallest without which some node where processors inject does not reach another
/// one from which they are ejected.
unsigned vertex_connectivity_by_sets(const Graph& graph)
{
    std::set<NodeId> injecting, ejecting;
    for (const Attachment& processor : graph.processors()) {
        injecting.insert(processor.injection);
        ejecting.insert(processor.ejection);
    }
    const std::size_t terminals = std::max(injecting.size(), ejecting.size());
    if (terminals < 2)
        return 0;
    unsigned fewest = graph.node_count();
    for (std::uint32_t set = 0; set < 1u << graph.node_count(); ++set) {
        GraphFaults faults;
        for (NodeId node = 0; node < graph.node_count(); ++node)
            if (set >> node & 1)
                faults.nodes.push_back(node);
        if (faults.nodes.size() >= fewest)
            continue;
        const auto hops = all_distances(without(graph, faults));
        const auto is_left = [&](NodeId node) { return (set >> node & 1) == 0; };
        for (const NodeId from : injecting)
            for (const NodeId to : ejecting)
                if (from != to && is_left(from) && is_left(to) && hops[from][to] >= unjoined)
                    fewest = static_cast<unsigned>(faults.nodes.size());
    }
    // No set takes it apart: each pair is joined by an arc.
    return fewest == graph.node_count() ? static_cast<unsigned>(terminals - 1) : fewest;
}

/// The graph with processors at some of its nodes only, from and to which they are ejected and inject; at
/// other nodes where `is_direct` is false.
Graph with_some_processors(const Graph& graph, int seed, bool is_direct)
{
    SplitMix64 random(static_cast<std::uint64_t>(seed));
    GraphParts parts{graph.node_count(), {graph.arcs().begin(), graph.arcs().end()}, {}, {}, {}};
    parts.opposites.assign(graph.opposites().begin(), graph.opposites().end());
    for (NodeId node = 0; node < graph.node_count(); ++node)
        if (random.below(2) == 0)
            parts.processors.push_back({node, is_direct ? node : random.below(graph.node_count())});
    return Graph(std::move(parts));
}

} // namespace

TEST_CASE("connectivities are those of all sets of failures", "[measures][connectivity]")
{
    const auto seed = GENERATE(range(1, 25));
    // A ring, so that some are not 0, and arcs at random; no two of them are a link of both directions.
    std::vector<Arc> arcs;
    for (NodeId node = 0; node < 5; ++node)
        arcs.push_back({node, (node + 1) % 5});
    const Graph more = random_arcs(seed, 5, 15);
    for (const Arc& arc : more.arcs())
        if (arc.target == (arc.source + 2) % 5)
            arcs.push_back(arc);
    for (const Graph& graph : {random_links(seed, 4, 6), random_links(seed, 4, 9), random_links(seed, 6, 6),
                               random_links(seed, 6, 9), graph_of_arcs(5, arcs)}) {
        CAPTURE(seed, graph.node_count(), graph.arc_count());
        CHECK(edge_connectivity(graph) == edge_connectivity_by_sets(graph));
        CHECK(vertex_connectivity(graph) == vertex_connectivity_by_sets(graph));
    }
}

TEST_CASE("connectivities between some of the nodes are those of all sets of failures",
          "[measures][connectivity]")
{
    const auto seed = GENERATE(range(1, 60));
    const bool is_direct = GENERATE(true, false);
    for (const Graph& whole :
         {random_links(seed, 7, 9), random_links(seed, 6, 11), random_arcs(seed, 6, 14)}) {
        const Graph graph = with_some_processors(whole, seed, is_direct);
        CAPTURE(seed, is_direct, graph.arc_count());
        CHECK(vertex_connectivity(graph) == vertex_connectivity_by_sets(graph));
        if (graph.processors().size() > 1 && is_direct && whole.is_bidirectional())
            CHECK(edge_connectivity(graph) == edge_connectivity_by_sets(graph));
    }
}

TEST_CASE("nothing, and what is in parts, has no connectivity", "[measures][connectivity]")
{
    for (const Graph& graph : {Graph(), graph_of_links(1, {}), graph_of_links(3, std::vector<Arc>{{0, 1}})}) {
        CHECK(smallest_degree(graph) == 0);
        CHECK(edge_connectivity(graph) == 0);
        CHECK(vertex_connectivity(graph) == 0);
    }
}

TEST_CASE("connectivities of larger networks are those of their kind", "[measures][connectivity]")
{
    struct Case {
        const char* spec;
        unsigned degree, edges, vertices;
    };
    const Case of = GENERATE(values<Case>({
        {"ring:64", 2, 2, 2}, // symmetric ones are as connected as their degree
        {"torus:8x8", 4, 4, 4},
        {"torus:4x4x4", 6, 6, 6},
        {"hypercube:6", 6, 6, 6},
        {"petersen", 3, 3, 3},
        {"complete:7", 6, 6, 6},
        {"kautz:3,2", 3, 3, 3},
        {"fbtree:63", 1, 1, 1},
        {"mesh:9", 1, 1, 1},
        {"mesh:5x5", 2, 2, 2},
        {"omega:8", 2, 1, 1}, // paths from processor to processor count, one for each pair
        {"benes:2,3", 2, 2, 2},
        {"xgft:2,3,1,4", 4, 4, 4}, // leaf switches are cut off from each other when all spines have failed
        {"xgft:2,5,1,8", 8, 8, 8},
        {"fattree:4", 2, 2, 2},
        {"clos:2,5,2", 5, 5, 5},
    }));
    INFO(of.spec);
    const Graph graph = graph_from(of.spec);
    CHECK(smallest_degree(graph) == of.degree);
    CHECK(edge_connectivity(graph) == of.edges);
    CHECK(vertex_connectivity(graph) == of.vertices);
}

} // namespace nocturne::connectivity_test
