#include "models/measures/graph.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>

namespace nocturne::graph_test {

using namespace measures;
using namespace test;
using Catch::Contains;

TEST_CASE("the rows of a graph hold each arc once, at its ends", "[measures][graph]")
{
    const auto seed = GENERATE(range(1, 20));
    const Graph graph = random_arcs(seed, 7, 25);
    std::size_t out = 0, in = 0;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        out += graph.arcs_from(node).size();
        in += graph.arcs_to(node).size();
        for (std::size_t i = 0; i < graph.arcs_from(node).size(); ++i)
            CHECK(graph.arc(graph.arcs_from(node)[i]) == Arc{node, graph.successors(node)[i]});
        for (std::size_t i = 0; i < graph.arcs_to(node).size(); ++i)
            CHECK(graph.arc(graph.arcs_to(node)[i]) == Arc{graph.predecessors(node)[i], node});
        CHECK(std::ranges::is_sorted(graph.arcs_from(node)));
        CHECK(std::ranges::is_sorted(graph.arcs_to(node)));
    }
    CHECK(out == 25);
    CHECK(in == 25);
}

TEST_CASE("opposite arcs are a matching that leaves out no pair", "[measures][graph]")
{
    const auto seed = GENERATE(range(1, 30));
    const Graph graph = random_arcs(seed, 5, 30);
    for (ArcId id = 0; id < graph.arc_count(); ++id) {
        const ArcId back = graph.opposite(id);
        const auto [source, target] = graph.arc(id);
        if (back == no_arc)
            continue;
        CHECK(graph.opposite(back) == id);
        CHECK(graph.arc(back) == Arc{target, source});
        CHECK(source != target);
    }
    for (ArcId a = 0; a < graph.arc_count(); ++a)
        for (ArcId b = 0; b < a; ++b)
            if (graph.opposite(a) == no_arc && graph.opposite(b) == no_arc &&
                graph.arc(a).source != graph.arc(a).target)
                CHECK_FALSE(graph.arc(a) == Arc{graph.arc(b).target, graph.arc(b).source});
}

TEST_CASE("links from a list are the same as their arcs matched", "[measures][graph]")
{
    const Graph graph = random_links(GENERATE(range(1, 10)), 6, 20);
    CHECK(graph.is_bidirectional());
    CHECK(graph.is_direct());
    CHECK(graph.processor_count() == 6);
    CHECK(std::ranges::equal(graph.opposites(), graph_of_arcs(6, graph.arcs()).opposites()) ==
          std::ranges::equal(graph.opposites(), match_opposites(graph.arcs())));
    for (ArcId id = 0; id < graph.arc_count(); ++id)
        CHECK(graph.opposite(id) == (id ^ 1u));
}

TEST_CASE("the graph of a topology has its routers, channels and processors", "[measures][graph]")
{
    const Topology topology =
        make_topology(GENERATE("mesh:3x4", "star:5", "fat_octagon:8", "omega:8", "kautz:2,3"));
    const Graph graph = graph_of(topology);
    REQUIRE(graph.node_count() == topology.router_count());
    REQUIRE(graph.arc_count() == topology.channel_count());
    REQUIRE(graph.processor_count() == topology.processor_count());
    CHECK(graph.lengths().empty());
    for (ArcId id = 0; id < graph.arc_count(); ++id)
        CHECK(graph.arc(id) == Arc{topology.channel(id).source, topology.channel(id).target});
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        CHECK(std::ranges::equal(graph.arcs_from(node), topology.channels_from(node)));
        CHECK(std::ranges::equal(graph.arcs_to(node), topology.channels_to(node)));
        CHECK(graph.injecting(node) == topology.processors_injecting_into(node).size());
        CHECK(graph.ejected(node) == topology.processors_ejected_by(node).size());
    }
}

TEST_CASE("which networks are direct, and which undirected", "[measures][graph]")
{
    CHECK(graph_from("fat_octagon:8").is_direct());
    CHECK(graph_from("btree:8").is_direct());
    CHECK_FALSE(graph_from("omega:8").is_direct());
    CHECK(graph_from("torus:4x4").is_bidirectional());
    CHECK_FALSE(graph_from("debruijn:2,3").is_bidirectional());
}

TEST_CASE("lengths are those of the channels", "[measures][graph]")
{
    const Topology topology = direct_network("two", 2, {{0, 1, 1, 0, 2.5}, {1, 0}});
    CHECK(std::ranges::equal(graph_of(topology).lengths(), std::vector<double>{2.5, 0}));
}

TEST_CASE("without what has failed the other nodes keep their numbers", "[measures][graph]")
{
    const std::vector<Arc> ring{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    const Graph rest = without(graph_of_links(4, ring), {{2}, {0}});
    CHECK(rest.node_count() == 4);
    CHECK(std::ranges::equal(rest.arcs(), std::vector<Arc>{{1, 0}, {3, 0}, {0, 3}}));
    CHECK(std::ranges::equal(rest.opposites(), std::vector<ArcId>{no_arc, 2, 1}));
    CHECK(std::ranges::equal(rest.processors(), std::vector<Attachment>{{0, 0}, {1, 1}, {3, 3}}));
    CHECK_THROWS_WITH(without(rest, {{4}, {}}), Contains("node 4 does not exist"));
    CHECK_THROWS_WITH(without(rest, {{}, {3}}), Contains("arc 3 does not exist"));
}

TEST_CASE("a graph of parts that do not exist is refused", "[measures][graph]")
{
    CHECK_THROWS_WITH(Graph({.nodes = 2, .arcs = {{0, 2}}}), Contains("node 2 does not exist"));
    CHECK_THROWS_WITH(Graph({.nodes = 2, .processors = {{0, 3}}}), Contains("node 3 does not exist"));
    CHECK_THROWS_WITH(Graph({.nodes = 2, .arcs = {{0, 1}}, .opposites = {5}}),
                      Contains("arc 5 does not exist"));
    CHECK_THROWS_WITH(Graph({.nodes = 2, .arcs = {{0, 1}}, .lengths = {1, 2}}),
                      Contains("2 lengths for 1 arcs"));
}

} // namespace nocturne::graph_test
