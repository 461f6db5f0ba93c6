// Topology files: what is written is read back, what is wrong is one clear line.
#include "models/topology/anynet_format.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/topology/check_invariants.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sys/stat.h>

namespace nocturne::files_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("JSON reads back exactly what it writes", "[topology][files][json]")
{
    std::size_t number = 0;
    for (const std::string& spec : all_networks()) {
        if (!test::is_tried(number++, 4))
            continue;
        const Topology topology = make_topology(spec);
        INFO(spec);
        CHECK(topology_from_json(to_json(topology), "x.json") == topology);
    }
    CHECK(topology_from_json(to_json(unusual_topology()), "x.json") == unusual_topology());
    CHECK(topology_from_json(to_json(Topology("empty")), "x.json") == Topology("empty"));
}

TEST_CASE("a DOT graph from elsewhere has one processor a vertex, in natural order", "[topology][files][dot]")
{
    const Topology undirected =
        topology_from_dot("graph g { n10 -- n9 -- n1 [latency=3]; n10 -- n1 }", "x.dot");
    CHECK(undirected.router_count() == 3);
    CHECK(undirected.router_name(0) == "n1");
    CHECK(undirected.router_name(2) == "n10");
    CHECK(undirected.processor_count() == 3);
    CHECK(undirected.processor(2) == Processor{2, 2, "n10"});
    CHECK(undirected.channel_count() == 6);
    CHECK(is_bidirectional(undirected));
    CHECK(undirected.channel(0) == Channel{2, 1, 3});
    CHECK(undirected.name() == "x.dot");
    CHECK(undirected.default_ports() == all_port);

    const Topology directed = topology_from_dot(
        "digraph { a -> b [width=8, length=1.5] b -> c; c -> a; a -> c [dir=both] }", "x.dot");
    CHECK(directed.channel_count() == 5);
    CHECK(directed.channel(0) == Channel{0, 1, 1, 8, 1.5});
    CHECK_FALSE(is_bidirectional(directed));
}

TEST_CASE("the attribute processors counts the processors of a router", "[topology][files][dot]")
{
    const Topology topology = topology_from_dot(
        "graph { ports=2; node [color=red]; a [processors=3]; b; c [processors=1]; a -- b -- c }", "x.dot");
    CHECK(topology.processor_count() == 4);
    CHECK(topology.processors_injecting_into(1).empty());
    CHECK(topology.find_processor("a.2") == 2u);
    CHECK(topology.find_processor("c") == 3u);
}

TEST_CASE("what a file says twice is refused, not the last of it taken", "[topology][files]")
{
    const std::string once = to_json(make_topology("ring:3"));
    CHECK(topology_from_json(once, "x.json").router_count() == 3);
    const auto with = [&](const std::string& before, const std::string& more) {
        std::string text = once;
        return text.replace(text.find(before), 0, more);
    };
    CHECK_THROWS_WITH(topology_from_json(with("\"routers\"", "\"routers\": [], "), "x.json"),
                      "x.json: /: 'routers' appears twice");
    CHECK_THROWS_WITH(topology_from_json(with("\"target\":2", "\"target\":1,"), "x.json"),
                      StartsWith("x.json: /channels/") && Contains("'target' appears twice"));
    const std::string graph = R"(<graphml><key id="k" for="edge" attr.name="latency"/>{}
<graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"><data key="k">2</data>{}
</edge><edge source="b" target="a"/></graph></graphml>)";
    CHECK(topology_from_graphml(fmt::format(fmt::runtime(graph), "", ""), "x.graphml").channel_count() == 2);
    CHECK_THROWS_WITH(
        topology_from_graphml(fmt::format(fmt::runtime(graph), "", "<data key=\"k\">3</data>"), "x.graphml"),
        "x.graphml: 'latency' appears twice in an element edge");
    CHECK_THROWS_WITH(
        topology_from_graphml(fmt::format(fmt::runtime(graph), "<key id=\"k\"/>", ""), "x.graphml"),
        "x.graphml: two keys have the identifier 'k'");
}

TEST_CASE("a GraphML graph from elsewhere has one processor a node", "[topology][files][graphml]")
{
    const std::string edgedefault = GENERATE(as<std::string>{}, "directed", "undirected");
    const std::string text = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="color" attr.type="string"><default>yellow</default></key>
  <key id="d1" for="edge" attr.name="latency" attr.type="int"/>
  <key id="d2" for="edge" attr.name="length" attr.type="double"/>
  <graph id="G" edgedefault=")" +
                             edgedefault + R"(">
    <node id="n0"><data key="d0">green</data></node>
    <node id="n1"/>
    <node id="n2"/>
    <edge source="n0" target="n2"><data key="d1">4</data><data key="d2">2.5</data></edge>
    <edge source="n2" target="n1"/>
  </graph>
</graphml>)";
    const Topology topology = topology_from_graphml(text, "x.graphml");
    CHECK(topology.router_count() == 3);
    CHECK(topology.processor_count() == 3);
    CHECK(topology.channel_count() == (edgedefault == "directed" ? 2 : 4));
    CHECK(topology.channel(0) == Channel{0, 2, 4, 0, 2.5});
}

TEST_CASE("an anynet file has the channels that BookSim would build", "[topology][files][anynet]")
{
    const Topology topology = topology_from_anynet("router 0 node 0 node 1 5 router 1 15 router 2\n"
                                                   "\n"
                                                   "  node 2 router 1\r\n"
                                                   "router 2\trouter 1 3 node 3\n"
                                                   "router 1 router 0 4",
                                                   "net.anynet");
    CHECK(topology.router_count() == 3);
    CHECK(topology.processor_count() == 4);
    CHECK(topology.processor(1) == Processor{0, 0, "1"});
    CHECK(topology.processor(2).injection == 1);
    std::vector<Channel> channels(topology.channels().begin(), topology.channels().end());
    CHECK(channels ==
          std::vector<Channel>{{0, 1, 15}, {0, 2, 1}, {1, 0, 4}, {1, 2, 1}, {2, 0, 1}, {2, 1, 3}});
    check_invariants(topology);
    const Topology implied =
        topology_from_anynet("router 0 node 0 router 1 15\nrouter 1 node 1 router 0\n", "net.anynet");
    CHECK(implied.channel(0).latency_cycles == 15); // its own, although a later line implies it
    CHECK(implied.channel(1).latency_cycles == 1);
}

TEST_CASE("load_topology goes by the extension, topology_from by whether there is one", "[topology][files]")
{
    const TemporaryFolder folder;
    const Topology topology = make_topology("torus:3x3");
    write_file_atomically(folder / "net.json", to_json(topology));
    write_file_atomically(folder / "net.dot", to_dot(topology));
    write_file_atomically(folder / "net.gv", to_dot(topology));
    write_file_atomically(folder / "net.graphml", to_graphml(topology));
    write_file_atomically(folder / "net.anynet", "router 0 node 0\n");
    CHECK(load_topology(folder / "net.json") == topology);
    for (const char* name : {"net.dot", "net.gv"})
        CHECK(load_topology(folder / name) == topology_from_dot(to_dot(topology), "x"));
    CHECK(topology_from(folder / "net.graphml") == topology_from_graphml(to_graphml(topology), "x"));
    CHECK(load_topology(folder / "net.anynet").router_count() == 1);
    CHECK(topology_from("torus:3x3") == topology);
    CHECK_THROWS_WITH(load_topology(folder / "net.xml"), Contains("net.xml: cannot read: No such file"));
    write_file_atomically(folder / "net.xml", "hello");
    CHECK_THROWS_WITH(load_topology(folder / "net.xml"),
                      Contains("net.xml: not a topology file") && Contains(".graphml"));
    CHECK_THROWS_WITH(topology_from(folder / "gone.json"), Contains("gone.json: cannot read: No such file"));
    CHECK_THROWS_AS(topology_from("nothing"), std::invalid_argument);
}

TEST_CASE("a file of any name is known by its beginning", "[topology][files]")
{
    const TemporaryFolder folder;
    const Topology topology = make_topology("ring:3");
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"anynet_file", "router 0 node 0 router 1\nrouter 1 node 1\n"},
             {"network.txt", "\n  Router 0 Node 0 Router 1\nNODE 1 ROUTER 1\n"},
             {"net", to_json(topology)},
             {"net.xml", to_graphml(topology)},
             {"net.txt", to_dot(topology)},
             {"net.viz", "/* two */ graph { a -- b }"}}) {
        INFO(name);
        write_file_atomically(folder / name, text);
        CHECK(topology_from(folder / name).channel_count() >= 2);
    }
}

TEST_CASE("routers and nodes of an anynet file may have any numbers", "[topology][files][anynet]")
{
    const Topology topology =
        topology_from_anynet("router 7 node 100000 router 70000 3\nrouter 70000 node 5\n", "net.anynet");
    CHECK(topology.router_count() == 2);
    CHECK(topology.find_router("70000") == RouterId{1});
    CHECK(topology.processor(0).name == "5");
    CHECK(topology.processor(0).injection == 1);
    CHECK(topology.find_processor("100000") == ProcessorId{1});
    CHECK(topology.channel(0) == Channel{0, 1, 3});
    CHECK(topology.channel(1) == Channel{1, 0, 1});
}

TEST_CASE("backslashes and quotes in names survive DOT", "[topology][files][dot]")
{
    Topology topology("a\\net\\");
    for (const char* name : {"a\\", "\\", "b\"c", "d\\\"e", "\\\\f", "g\\n"})
        topology.add_processor(topology.add_router(name));
    for (RouterId r = 0; r + 1 < topology.router_count(); ++r)
        topology.add_link(r, r + 1);
    const Topology read = topology_from_dot(to_dot(topology), "x.dot");
    CHECK(read.name() == topology.name());
    for (RouterId r = 0; r < topology.router_count(); ++r)
        CHECK(read.find_router(topology.router_name(r)).has_value());
    CHECK_NOTHROW(draw_topology(topology, "svg"));
}

TEST_CASE("names that are not UTF-8 are refused with the line", "[topology][files]")
{
    const TemporaryFolder folder;
    write_file_atomically(folder / "net.dot", "graph {\n  \"M\xe4rz\" -- b\n}\n");
    CHECK_THROWS_WITH(load_topology(folder / "net.dot"), Contains("net.dot: line 2: not UTF-8"));
    write_file_atomically(folder / "net.graphml", "<graphml>\xff</graphml>");
    CHECK_THROWS_WITH(load_topology(folder / "net.graphml"), Contains("net.graphml: line 1: not UTF-8"));
}

TEST_CASE("a file is replaced as a whole, or left as it was", "[topology][files]")
{
    const TemporaryFolder folder;
    write_file_atomically(folder / "a.txt", "first");
    write_file_atomically(folder / "a.txt", std::string("sec\0nd", 6));
    CHECK(read_file(folder / "a.txt") == std::string("sec\0nd", 6));
    CHECK(folder.names().size() == 1);
    std::filesystem::create_directory(folder / "taken");
    CHECK_THROWS_WITH(write_file_atomically(folder / "taken", "x"), Contains("taken: cannot write: "));
    CHECK_THROWS_WITH(write_file_atomically(folder / "no/such/place", "x"),
                      Contains("cannot write: No such file"));
    CHECK(folder.names().size() == 2); // no temporary file left
}

TEST_CASE("a file that cannot be read is one clear line", "[topology][files]")
{
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_file(folder / "gone"), Contains("gone: cannot read: No such file or directory"));
    CHECK_THROWS_WITH(read_file(folder / ""), Contains("cannot read: Is a directory"));
    write_file_atomically(folder / "empty", "");
    CHECK(read_file(folder / "empty").empty());
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(read_file(folder / "pipe").empty()); // and does not wait for a writer
}

TEST_CASE("the name of a network with failed parts is that network", "[topology][files]")
{
    const auto [network, faults] =
        GENERATE(table<std::string, std::vector<std::string>>({{"mesh:4x4", {"link:00-01"}},
                                                               {"mesh:4x4", {"link:00-01", "node:11"}},
                                                               {"torus:16x16", {"link:0,0-0,1"}}}));
    const Topology faulty = with_faults(make_topology(network), faults);
    CHECK(topology_from(faulty.name()) == faulty);
    CHECK_THROWS_WITH(topology_from(network + " without link:a-b"), Catch::Contains("link:a-b"));
    const TemporaryFolder folder; // a file may be called so
    CHECK(topology_from(folder.file("ring without chords.json", to_json(faulty))) == faulty);
}

} // namespace nocturne::files_test
