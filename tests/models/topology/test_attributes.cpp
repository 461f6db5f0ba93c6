// Attributes of network files: the same names with the same meaning in every format, and none that is dropped
// without a word.
#include "models/topology/anynet_format.hpp"
#include "models/topology/attribute_names.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/rows.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace nocturne::attributes_test {

using namespace nocturne::test;
using Catch::Contains;
using Remarks = std::vector<std::string>;

namespace {

struct FileFormat {
    std::string_view name;
    std::string (*write)(const Topology& topology);
    Topology (*read)(std::string_view text, std::string_view origin);
};

std::string dot_of(const Topology& topology)
{
    return to_dot(topology);
}

const std::vector<FileFormat> formats{{"json", to_json, topology_from_json},
                                      {"dot", dot_of, topology_from_dot},
                                      {"graphml", to_graphml, topology_from_graphml}};

/// What one property alone makes of three routers in a ring, each with its processor.
struct Property {
    std::string name;
    std::function<void(Topology&)> set = {};
    std::vector<std::pair<RouterId, RouterId>> processors{{0, 0}, {1, 1}, {2, 2}};
    Channel first{0, 1};
    bool has_places = false;
};

Topology network_with(const Property& property)
{
    Topology topology("net");
    for (RouterId r = 0; r < 3; ++r)
        topology.add_router(fmt::format("r{}", r),
                            property.has_places ? std::optional(Position{0.5 * r, -3.0}) : std::nullopt);
    std::size_t number = 0;
    for (const auto& [injection, ejection] : property.processors)
        topology.add_processor(injection, ejection, fmt::format("p{}", number++));
    topology.add_channel(property.first);
    topology.add_channel(1, 2);
    topology.add_channel(2, 0);
    topology.add_channel(0, 1);
    if (property.set)
        property.set(topology);
    return topology;
}

const std::vector<Property> properties{
    {"nothing"},
    {"latency", {}, {{0, 0}, {1, 1}, {2, 2}}, {0, 1, 7}},
    {"width", {}, {{0, 0}, {1, 1}, {2, 2}}, {0, 1, 1, 16}},
    {"length", {}, {{0, 0}, {1, 1}, {2, 2}}, {0, 1, 1, 0, 1.0 / 3}},
    {"buffers", {}, {{0, 0}, {1, 1}, {2, 2}}, {0, 1, 1, 0, 0, 12}},
    {"vcs", {}, {{0, 0}, {1, 1}, {2, 2}}, {0, 1, 1, 0, 0, 0, 3}},
    {"parts of routers",
     [](Topology& topology) {
         topology.set_part(0, {Pipeline{2, 1, 0, 3}, 7, 4, 2, ArbiterKind::matrix, {2, 3}});
         topology.set_part(1, {.injection_rate = 28'100, .ejection_rate = 900, .pool_flits = 5});
         topology.set_part(2, {speculative_pipeline, 0, 0, 3, {}, {5, 1}, 0, 32'000});
     }},
    {"position", {}, {{0, 0}, {1, 1}, {2, 2}}, {0, 1}, true},
    {"processors of few", {}, {{1, 1}, {1, 1}}},
    {"no processors", {}, {}},
    {"injects and ejects", {}, {{2, 0}, {0, 1}}},
    {"groups", [](Topology& topology) { topology.set_routers_per_group(3); }},
    {"copies", [](Topology& topology) { topology.set_copying(1); }, {{0, 0}}},
    {"ports", [](Topology& topology) { topology.set_default_ports(PortModel{3}); }},
    {"switches", [](Topology& topology) { topology.set_switches(SwitchKind::crossbar); }},
    {"grid", [](Topology& topology) { topology.set_grid({{3, 1}, false}); }},
    {"wraps", [](Topology& topology) { topology.set_grid({{1, 3}, true}); }},
    {"tag_digits",
     [](Topology& topology) {
         topology.set_tag_digits({{2, 4, false}, {3, 1, true}});
         topology.set_switches(SwitchKind::crossbar);
     }},
};

/// One channel from a to b, in a graph of that format, with a property of it under this name.
Topology channel_with(std::string_view format, std::string_view name)
{
    if (format == "dot")
        return topology_from_dot(fmt::format("digraph {{ a -> b [{}=8] }}", name), "x");
    if (format == "graphml")
        return topology_from_graphml(
            fmt::format("<graphml><key id='k' for='edge' attr.name='{}' attr.type='int'/><graph>"
                        "<node id='a'/><node id='b'/>"
                        "<edge source='a' target='b'><data key='k'>8</data></edge></graph></graphml>",
                        name),
            "x");
    return topology_from_json(
        fmt::format(R"({{"format": "nocturne-topology", "version": 1, "name": "x", "default_ports": "all",
                    "routers": [{{"name": "a"}}, {{"name": "b"}}], "processors": [],
                    "channels": [{{"source": 0, "target": 1, "{}": 8}}]}})",
                    name),
        "x");
}

/// Equal, positions to a billionth of a router pitch.
void check_same_network(const Topology& a, const Topology& b)
{
    CHECK(a.name() == b.name());
    CHECK(a.default_ports() == b.default_ports());
    CHECK(a.grid() == b.grid());
    CHECK(std::ranges::equal(a.tag_digits(), b.tag_digits()));
    CHECK(a.switches() == b.switches());
    REQUIRE(a.router_count() == b.router_count());
    std::size_t wrong = 0;
    for (RouterId r = 0; r < a.router_count(); ++r) {
        const auto p = a.position(r), q = b.position(r);
        wrong += a.copies(r) != b.copies(r) || a.router_name(r) != b.router_name(r) ||
                 p.has_value() != q.has_value();
        if (p && q)
            wrong += std::abs(p->x - q->x) > 1e-8 * (1 + std::abs(p->x)) ||
                     std::abs(p->y - q->y) > 1e-8 * (1 + std::abs(p->y));
    }
    CHECK(wrong == 0);
    CHECK(std::ranges::equal(a.processors(), b.processors()));
    CHECK(std::ranges::equal(a.channels(), b.channels()));
}

/// Names that are not in their order, and links whose channels differ.
Topology awkward_topology()
{
    Topology topology("no places");
    for (int i = 0; i < 12; ++i)
        topology.add_processor(topology.add_router("v" + std::to_string(20 - i)));
    for (RouterId r = 0; r + 1 < 12; ++r)
        topology.add_channel(r, r + 1);
    for (const unsigned latency : {7u, 2u}) {
        topology.add_channel({0, 1, latency, 16, 2.5});
        topology.add_channel({1, 0, latency == 7 ? 7u : 3u, 16, 2.5});
    }
    return topology;
}

template <class Read>
Remarks remarks_of(Read read)
{
    const InputLog log;
    read();
    return log.remarks();
}

} // namespace

TEST_CASE("every property of a network survives every format", "[topology][files]")
{
    for (const FileFormat& format : formats) {
        for (const Property& property : properties) {
            INFO(format.name << ", " << property.name);
            Topology topology = network_with(property);
            CHECK(remarks_of([&] {
                      const Topology read = format.read(format.write(topology), "net");
                      CHECK(read == topology);
                  }).empty());
        }
        std::vector<Topology> networks{awkward_topology()};
        if (format.name != "dot") // whose places are those of a drawing
            networks.push_back(unusual_topology());
        for (const std::string& spec : small_networks())
            networks.push_back(make_topology(spec));
        for (const Topology& topology : networks) {
            INFO(format.name << ", " << topology.name());
            check_same_network(topology, format.read(format.write(topology), "x"));
        }
    }
}

TEST_CASE("a property of a channel has two names in every format, and one meaning", "[topology][files]")
{
    for (const FileFormat& format : formats)
        for (const AttributeName& names : channel_attributes) {
            if (names.name == "dir" || names.name == "channel") // of graphs only
                continue;
            INFO(format.name << ", " << names.name);
            const Channel channel = channel_with(format.name, names.name).channel(0);
            CHECK((names.name == "latency"   ? channel.latency_cycles
                   : names.name == "width"   ? channel.width_bytes
                   : names.name == "buffers" ? channel.buffer_flits
                   : names.name == "vcs"     ? channel.vcs
                                             : channel.length) == 8);
            if (!names.longer.empty())
                CHECK(channel_with(format.name, names.longer).channel(0) == channel);
        }
    CHECK_THROWS_WITH(
        topology_from_json(R"({"format": "nocturne-topology", "version": 1, "name": "x", "ports": "1",
                               "default_ports": "all", "routers": [], "processors": [], "channels": []})",
                           "x"),
        Contains("'ports' and 'default_ports' are one member"));
    CHECK(topology_from_dot("graph { default_ports=2; a -- b }", "x").default_ports() == PortModel{2});
}

TEST_CASE("what a file has that is none of ours, or leaves open, is said once", "[topology][files]")
{
    for (const Row& row : rows_of("models/topology/remarks.txt")) {
        INFO(row.place);
        const auto read = row.group == "x.dot"       ? topology_from_dot
                          : row.group == "x.graphml" ? topology_from_graphml
                                                     : topology_from_anynet;
        CHECK(remarks_of([&] { read(unescaped(row.cells[0]), row.group); }) ==
              Remarks(row.cells.begin() + 1, row.cells.end()));
    }
    CHECK(topology_from_dot("graph { a [x=1, y=2]; b [x=3] }", "x.dot").position(0) == Position{1, 2});
    // A grid is one of the routers and channels that it was written with.
    std::string text = to_dot(make_topology("mesh:2x2"));
    text.insert(text.rfind('}'), "r0 -> r3\n");
    CHECK(remarks_of([&] { CHECK_FALSE(topology_from_dot(text, "x").grid().has_value()); }) ==
          Remarks{"x: grid ignored: it holds for the numbers of routers and channels that the graph was "
                  "written with"});
}

TEST_CASE("truths are read as Graphviz, Python and XML write them", "[topology][files]")
{
    for (const auto& [text, copies] : std::vector<std::pair<std::string, bool>>{
             {"true", true}, {"True", true}, {"1", true}, {"false", false}, {"False", false}, {"0", false}})
        CHECK(topology_from_dot(fmt::format("graph {{ a [processors=0, copies={}]; a -- b }}", text), "x")
                  .copies(0) == copies);
}

TEST_CASE("DOT is read as Graphviz reads it", "[topology][files][dot]")
{
    const auto [text, routers, channels] = GENERATE(table<std::string, std::size_t, std::size_t>({
        {"graph G { a -- b; b -- c; {rank=same; a; b} }", 3, 4},
        {"digraph { a -> {b c} }", 3, 2},
        {"digraph { {a b} -> {c d} -> e }", 5, 6},
        {"digraph { subgraph cluster_0 { label=x; a -> b } -> c }", 3, 3},
        {"digraph { subgraph s { a b } c -> subgraph s }", 3, 2},
        {"graph { a:n -- b:port:sw }", 2, 2},
        {"digraph { a [label=<<table><tr><td>x</td></tr></table>>]; a -> <b <i>> }", 2, 1},
        {"digraph { \"a\" + \"b\" -> ab }", 1, 1},
        {"digraph { a -> b -> a; a -> b }", 2, 3},
        {"strict digraph { a -> b; a -> b; b -> a; a -> a }", 2, 3},
        {"strict graph { a -- b; b -- a }", 2, 2},
        {"digraph { a -> b [key=x]; a -> b [key=x]; a -> b [key=y] }", 2, 2},
        {"/* two\nlines */ DiGraph g { // end\n# of the preprocessor\n NODE [x=y] a->b;;; c }", 3, 1},
        {"graph { 1 -- -2.5; .5 -- 1 }", 3, 4},
        {"digraph { \"a\\\nb\" -> ab }", 1, 1},
        {"graph { a -- { b -- c } }", 3, 6},
        {"graph { subgraph { } -- a }", 1, 0},
        {"digraph \"a name\" { edge [latency=2,] a -> b [width=4; length=1][dir=both] }", 2, 2},
        {"graph { \xc3\xa4 -- _b1 }", 2, 2},
        {"graph { node [processors=1]; a }  graph { b -- c }", 1, 0},
    }));
    INFO(text);
    const Topology topology = topology_from_dot(text, "x.dot");
    CHECK(topology.router_count() == routers);
    CHECK(topology.channel_count() == channels);
}

TEST_CASE("defaults in DOT hold for what is made behind them, in their braces", "[topology][files][dot]")
{
    const Topology topology = topology_from_dot(
        "digraph { a -> b; edge [latency=2]; a -> c; { edge [latency=3]; a -> d; b [processors=5] } a -> e\n"
        "node [processors=2]; f; subgraph s { node [processors=4]; g; a } subgraph s { h } }",
        "x");
    const auto latency = [&](const char* to) {
        for (const Channel& channel : topology.channels())
            if (topology.router_name(channel.target) == to)
                return channel.latency_cycles;
        return 0U;
    };
    CHECK(latency("b") == 1);
    CHECK(latency("c") == 2);
    CHECK(latency("d") == 3);
    CHECK(latency("e") == 2);
    const auto processors = [&](const char* name) {
        return topology.processors_injecting_into(topology.find_router(name).value()).size();
    };
    CHECK(processors("a") == 0);
    CHECK(processors("b") == 5);
    CHECK(processors("f") == 2);
    CHECK(processors("g") == 4);
    CHECK(processors("h") == 4);
}

TEST_CASE("a mark of UTF-8 at the beginning of a file is no part of it", "[topology][files]")
{
    const TemporaryFolder folder;
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"a.json", to_json(make_topology("ring:3"))},
             {"a.dot", "graph { a -- b -- c -- a }"},
             {"a.graphml", to_graphml(make_topology("ring:3"))},
             {"a.anynet", "router 0 node 0 router 1 router 2\n"
                          "router 1 node 1 router 2\nrouter 2 node 2"}})
        CHECK(load_topology(folder.file(name, std::string("\xef\xbb\xbf") + text)).channel_count() == 6);
}

} // namespace nocturne::attributes_test
