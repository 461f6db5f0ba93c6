#include "models/measures/wires.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

namespace nocturne::wires_test {

using namespace measures;
using namespace test;
using Catch::Contains;

namespace {

WireLengths wires_of(const char* spec, Arrangement arrangement)
{
    const Graph graph = graph_from(spec);
    return wire_lengths(graph, arrange(arrangement, graph.node_count()));
}

std::vector<Position> positions_from(const char* spec, const std::string& text)
{
    return read_positions(make_topology(spec), text, "places.txt");
}

} // namespace

TEST_CASE("a ring on a backplane has one wire back from its end", "[measures][wires]")
{
    CHECK(wires_of("ring:8", Arrangement::backplane) == WireLengths{7, 14, 1.75});
    CHECK(wires_of("ring:8", Arrangement::centerplane) == WireLengths{4, 4 + 3 * 2 + 4, 14 / 8.0});
}

TEST_CASE("hypercubes have the wires that print says break its limits", "[measures][wires][print]")
{
    // Table 3: at most 3 on a backplane of 8. Table 4: at most 4 for 16 nodes, on a backplane and a
    // centerplane.
    CHECK(wires_of("hypercube:3", Arrangement::backplane).maximum > 3);
    CHECK(wires_of("hypercube:4", Arrangement::backplane).maximum > 4);
    CHECK(wires_of("hypercube:4", Arrangement::centerplane).maximum <= 4);
    CHECK(wires_of("fbtree:7", Arrangement::backplane).maximum > 3); // in another order it fits
}

TEST_CASE("a mesh on its grid has wires of length 1", "[measures][wires]")
{
    const Graph mesh = graph_from("mesh:3x5");
    CHECK(wire_lengths(mesh, arrange(Arrangement::grid, 15, 5)) == WireLengths{1, 22, 1});
    CHECK(wires_of("mesh:4x4", Arrangement::grid).maximum == 1);
    CHECK(wire_lengths(mesh, own_positions(make_topology("mesh:3x5"))) == WireLengths{1, 22, 1});
}

TEST_CASE("lengths depend on places, not on numbers", "[measures][wires]")
{
    const Graph graph = random_links(GENERATE(range(1, 5)), 9, 20);
    std::vector<Position> line = arrange(Arrangement::backplane, 9), back(line.rbegin(), line.rend());
    GraphParts parts{.nodes = 9, .processors = one_processor_each(9)};
    for (const auto& [source, target] : graph.arcs())
        parts.arcs.push_back({8 - source, 8 - target});
    CHECK(wire_lengths(Graph(parts), back) == wire_lengths(graph, line));
}

TEST_CASE("a link is one wire, and so is a one-way channel", "[measures][wires]")
{
    const std::vector<Arc> arcs{{0, 1}, {1, 0}, {1, 2}};
    const std::vector<Position> places{{0, 0}, {2, 3}, {2.5, 3}};
    CHECK(wire_lengths(graph_of_arcs(3, arcs), places) == WireLengths{5, 5.5, 2.75});
    const Graph known({.nodes = 3, .arcs = arcs, .lengths = {4, 6, 1}});
    CHECK(wire_lengths(known) == WireLengths{6, 7, 3.5});
    CHECK_THROWS_WITH(wire_lengths(graph_of_arcs(3, arcs)), Contains("the channels have none"));
    CHECK_THROWS_WITH(wire_lengths(known, std::vector<Position>(2)), Contains("2 positions for 3 nodes"));
    CHECK(wire_lengths(Graph()) == WireLengths{});
}

TEST_CASE("positions are read from lines of router and place", "[measures][wires]")
{
    const auto places = positions_from("mesh:1x2", "# by hand\n01 4 -1.5\n\n#0 0 2\n");
    CHECK(places == std::vector<Position>{{0, 2}, {4, -1.5}});
}

TEST_CASE("bad lines of positions are refused by number", "[measures][wires]")
{
    CHECK_THROWS_WITH(positions_from("ring:3", "0 1 2\n1 x 3\n"), "places.txt:2: '1 x 3' is not ROUTER X Y");
    CHECK_THROWS_WITH(positions_from("ring:3", "0 1 2 3\n"), Contains("is not ROUTER X Y"));
    CHECK_THROWS_WITH(positions_from("ring:3", "3 1 2\n"), "places.txt:1: ring:3 has no router 3");
    CHECK_THROWS_WITH(positions_from("ring:3", "0 1 2\n0 1 3\n"),
                      Contains("places.txt:2: router 0 has a position already"));
    CHECK_THROWS_WITH(positions_from("ring:3", "0 1 2\n2 1 3\n"),
                      "places.txt: no position of router 1 of ring:3");
}

TEST_CASE("arrangements are known by name", "[measures][wires]")
{
    for (const char* name : {"backplane", "centerplane", "grid"})
        CHECK(to_string(parse_arrangement(name)) == name);
    CHECK_THROWS_WITH(parse_arrangement("backplan"), Contains("did you mean 'backplane'"));
}

} // namespace nocturne::wires_test
