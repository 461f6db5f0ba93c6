// Damaged topology files: whatever is in them, a topology or one clear line comes out.
#include "models/topology/anynet_format.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/floogen_format.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/topology_files.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/topology/composed.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>

namespace nocturne::damaged_files_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

enum class Outcome { read, refused, wrong };

/// Read is a topology whose parts agree, refused one line that begins with the origin.
template <class Reader>
Outcome outcome_of(Reader read, const std::string& text)
{
    try {
        const Topology topology = read(text, "broken.file");
        const bool is_whole = std::ranges::all_of(topology.channels(), [&](const Channel& channel) {
            return std::max(channel.source, channel.target) < topology.router_count();
        });
        return is_whole ? Outcome::read : Outcome::wrong;
    } catch (const std::runtime_error& error) {
        const std::string line = error.what();
        UNSCOPED_INFO(line);
        const bool is_clean = line.starts_with("broken.file: ") &&
                              std::ranges::none_of(line, [](unsigned char c) { return c < ' '; });
        return is_clean ? Outcome::refused : Outcome::wrong;
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

/// A valid file of each format, and its reader.
struct Sample {
    std::string format;
    std::function<Topology(const std::string& text, const std::string& origin)> read;
    std::string text;
};

std::vector<Sample> samples()
{
    return {{"json", topology_from_json, to_json(unusual_topology())},
            {"graphml", topology_from_graphml, to_graphml(make_topology("mesh:1x2"))},
            {"dot", topology_from_dot, to_dot(make_topology("clos:1,2,2"))},
            {"anynet", topology_from_anynet,
             "router 0 node 0 router 1 15\nrouter 1 node 1 router 2 node 3\nrouter 2 node 2 7\n"},
            {"floogen", topology_from_floogen, floogen},
            {"composition", composed, composition_of(R"("parts": [
        {"name": "a", "count": 3, "network": "mesh:2x2", "places": [[0, 0], [1.5, 3], [4, 4]]},
        {"name": "b", "network": "ring:3", "processors": false}], "joints": [
        {"from": "a/[right]", "to": "a/[left]", "pattern": "ring", "latency": 3},
        {"pairs": [["a2/#3", "b/2"]], "count": 2, "one_way": true, "width_bytes": 4},
        {"from": ["a0/*", "a1/00"], "to": "b/1", "pattern": "all-to-all", "length": 2.5}], "ports": "2")")}};
}

} // namespace

TEST_CASE("every truncation of a valid file reads or fails cleanly", "[topology][files][fuzz]")
{
    for (const auto& [format, read, text] : samples()) {
        INFO(format);
        CHECK(outcome_of(read, text) == Outcome::read);
        // The braces of JSON have to be closed.
        const std::size_t least = text.front() == '{' ? text.rfind('}') + 1 : 0;
        for (std::size_t n = 0; n < text.size(); n += format == "dot" ? 3 : 1) { // DOT takes its time
            const Outcome outcome = outcome_of(read, text.substr(0, n));
            REQUIRE((outcome == Outcome::refused || (outcome == Outcome::read && n >= least)));
        }
    }
}

TEST_CASE("random damage to a valid file reads or fails cleanly", "[topology][files][fuzz]")
{
    std::mt19937 random(11);
    const std::string pieces = "0123456789-{}[]\"<>&;,:=*/#abr\\ \n\x01\xff.eE";
    for (const auto& [format, read, text] : samples()) {
        unsigned refused = 0;
        constexpr unsigned tries = 400;
        for (unsigned i = 0; i < tries; ++i) {
            std::string damaged = text;
            for (auto edits = 1 + random() % 3; edits-- > 0;) {
                const std::size_t at = random() % damaged.size();
                if (random() % 3 == 0)
                    damaged.erase(at, random() % 20);
                else if (random() % 2 == 0)
                    damaged.insert(at, 1, pieces[random() % pieces.size()]);
                else
                    damaged[at] = pieces[random() % pieces.size()];
            }
            INFO(format << ": " << damaged);
            const Outcome outcome = outcome_of(read, damaged);
            REQUIRE(outcome != Outcome::wrong);
            refused += outcome == Outcome::refused ? 1 : 0;
        }
        INFO(format);
        CHECK(refused > tries / 10);
        CHECK(refused < tries);
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
