// Damaged topology files: whatever is in them, a topology or one clear line comes out.
#include "models/topology/anynet_format.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/floogen_format.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace nocturne::damaged_files_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

/// Reads, and is content with a topology whose parts agree or with one line that begins with the origin.
template <class Reader>
bool reads_cleanly(Reader read, const std::string& text)
{
    try {
        const Topology topology = read(text, "broken.file");
        for (const Channel& channel : topology.channels())
            if (channel.source >= topology.router_count() || channel.target >= topology.router_count())
                return false;
        return true;
    } catch (const std::runtime_error& error) {
        const std::string line = error.what();
        UNSCOPED_INFO(line);
        return line.starts_with("broken.file: ") &&
               std::ranges::none_of(line, [](unsigned char c) { return c < ' '; });
    }
}

const std::string floogen = R"(name: n
routing: {route_algo: "XY"}
endpoints: [{name: e, array: [2, 2], addr_range: {base: 0x10}}, {name: f}]
routers:
  - name: r # a mesh
    array: [2, 2]
  - {name: t, tree: [1, 2], auto_connect: true}
connections:
  - {src: e, dst: r, src_range: [[0, 1], [0, 1]], dst_range: [[0, 1], [0, 1]], dst_dir: "Eject"}
  - {src: f, dst: t, dst_idx: 0}
  - {src: r, dst: t, src_range: [[0, 1], [0, 0]], dst_lvl: 1, allow_multi: true}
)";

} // namespace

TEST_CASE("every truncation of a valid file reads or fails cleanly", "[topology][files][fuzz]")
{
    const Topology topology = make_topology("clos:1,2,2");
    const std::string json = to_json(unusual_topology()), graphml = to_graphml(make_topology("mesh:1x2")),
                      dot = to_dot(topology),
                      anynet =
                          "router 0 node 0 router 1 15\nrouter 1 node 1 router 2 node 3\nrouter 2 node 2 7\n";
    for (std::size_t n = 0; n <= json.size(); ++n)
        CHECK(reads_cleanly(topology_from_json, json.substr(0, n)));
    for (std::size_t n = 0; n <= graphml.size(); ++n)
        CHECK(reads_cleanly(topology_from_graphml, graphml.substr(0, n)));
    for (std::size_t n = 0; n <= dot.size(); n += 3) // the DOT parser takes its time
        CHECK(reads_cleanly(topology_from_dot, dot.substr(0, n)));
    for (std::size_t n = 0; n <= anynet.size(); ++n)
        CHECK(reads_cleanly(topology_from_anynet, anynet.substr(0, n)));
    for (std::size_t n = 0; n <= floogen.size(); ++n)
        CHECK(reads_cleanly(topology_from_floogen, floogen.substr(0, n)));
}

TEST_CASE("random damage to a valid file reads or fails cleanly", "[topology][files][fuzz]")
{
    std::mt19937 random(11);
    const Topology topology = make_topology("mesh:1x3");
    const auto damaged = [&](std::string text) {
        const std::string pieces = "0123456789-{}[]\"<>&;,:=\\/ \n\x01\xff.eE";
        for (auto edits = 1 + random() % 3; edits-- > 0;) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0)
                text.erase(at, random() % 20);
            else
                text.insert(at, 1, pieces[random() % pieces.size()]);
        }
        return text;
    };
    const std::string json = to_json(topology), graphml = to_graphml(topology), dot = to_dot(topology),
                      anynet = "router 0 node 0 router 1 15\nrouter 1 node 1 router 2\nrouter 2 node 2 7\n";
    for (int i = 0; i < 300; ++i) {
        CHECK(reads_cleanly(topology_from_json, damaged(json)));
        CHECK(reads_cleanly(topology_from_graphml, damaged(graphml)));
        CHECK(reads_cleanly(topology_from_dot, damaged(dot)));
        CHECK(reads_cleanly(topology_from_anynet, damaged(anynet)));
        CHECK(reads_cleanly(topology_from_floogen, damaged(floogen)));
    }
}

TEST_CASE("deep nesting fails cleanly", "[topology][files][fuzz]")
{
    const auto repeat = [](const std::string& piece) {
        std::string text;
        for (int i = 0; i < 200000; ++i)
            text += piece;
        return text;
    };
    CHECK_THROWS_WITH(topology_from_json(repeat("["), "x.json"), StartsWith("x.json: "));
    CHECK_THROWS_WITH(topology_from_json(repeat("{\"a\":"), "x.json"), StartsWith("x.json: "));
    CHECK_THROWS_WITH(topology_from_graphml(repeat("<a>"), "x.graphml"), StartsWith("x.graphml: "));
    const std::string inner = "<node id='a'><graph>";
    CHECK_THROWS_WITH(topology_from_graphml("<graphml><graph>" + repeat(inner) + repeat("</graph></node>") +
                                                "</graph></graphml>",
                                            "x.graphml"),
                      StartsWith("x.graphml: "));
    std::string nested = "<graphml><graph>", end = "</graph></graphml>";
    for (int i = 0; i < 300; ++i) {
        nested += fmt::format("<node id='{}'><graph>", i);
        end = "</graph></node>" + end;
    }
    CHECK_THROWS_WITH(topology_from_graphml(nested + end, "x.graphml"), Contains("nested"));
    CHECK_THROWS_WITH(topology_from_dot("graph " + repeat("{"), "x.dot"), Contains("braces"));
}

TEST_CASE("GML is called by its name, whatever the file is called", "[topology][files]")
{
    const test::TemporaryFolder folder;
    for (const char* const name : {"zoo.gml", "zoo", "zoo.dot", "zoo.txt"})
        for (const char* const text :
             {"graph [\n  directed 1\n  node [ id 0 ]\n]\n", "graph\n[ node [ id 0 ] ]",
              "# the zoo\nCreator \"me\"\nVersion 1\ngraph [ node [ id 0 ] ]"}) {
            const std::string file = folder.file(name, text);
            CHECK_THROWS_WITH(load_topology(file), Contains(file) && Contains("GML is not read; GraphML is"));
        }
    CHECK(load_topology(folder.file("a.dot", "graph { graph [label=x]; a -- b }")).router_count() == 2);
    CHECK(load_topology(folder.file("b.dot", "graph creator { a -- b }")).router_count() == 2);
}

} // namespace nocturne::damaged_files_test
