// Networks of FlooGen, in YAML of our own, against the same networks by hand.
#include "models/topology/floogen_format.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/check_invariants.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace nocturne::floogen_test {

using Catch::Contains;

namespace {

using Names = std::vector<std::string>;

/// `a>b` for each channel, sorted.
Names links_of(const Topology& topology)
{
    Names links;
    for (const Channel& channel : topology.channels())
        links.push_back(topology.router_name(channel.source) + ">" + topology.router_name(channel.target));
    std::ranges::sort(links);
    return links;
}

/// `endpoint@router` for each processor, in order.
Names places_of(const Topology& topology)
{
    Names places;
    for (const Processor& each : topology.processors())
        places.push_back(each.name + "@" + topology.router_name(each.injection));
    return places;
}

const std::string small_mesh = R"(name: small
network_type: axi
routing: {route_algo: XY, use_id_table: true}
protocols:
  - {name: in, protocol: AXI4, data_width: 64}
endpoints:
  - name: core
    array: [3, 2]
    addr_range: {base: 0x1000, size: 0x10}
    mgr_port_protocol: [in]
    sbr_port_protocol: [in]
  - name: mem
    array: [2]
    sbr_port_protocol: [in]
routers:
  - name: r
    array: [3, 2]
    degree: 5
connections:
  - src: core
    dst: r
    src_range: [[0, 2], [0, 1]]
    dst_range: [[0, 2], [0, 1]]
    dst_dir: Eject
  - {src: mem, dst: r, src_range: [[1, 0]], dst_range: [[0, 0], [0, 1]], dst_dir: West}
)";

} // namespace

TEST_CASE("an array of routers is a mesh with a grid, its endpoints are processors", "[topology][floogen]")
{
    const InputLog log;
    const Topology topology = topology_from_floogen(small_mesh, "small.yml");
    test::check_invariants(topology);
    CHECK(topology.name() == "small");
    CHECK(topology.grid() == Grid{{2, 3}, false}); // rows, columns
    CHECK(topology.router_name(1) == "r_1_0");
    CHECK(topology.position(1) == Position{1, 1}); // north is up
    CHECK(topology.position(3) == Position{0, 0});
    Names links = links_of(topology), mesh;
    const Topology same = make_topology("mesh:2x3");
    for (const Channel& channel : same.channels()) {
        const auto name = [](RouterId id) { return fmt::format("r_{}_{}", id % 3, id / 3); };
        mesh.push_back(name(channel.source) + ">" + name(channel.target));
    }
    std::ranges::sort(mesh);
    CHECK(links == mesh);
    CHECK(places_of(topology) == Names{"core_0_0@r_0_0", "core_0_1@r_0_1", "core_1_0@r_1_0", "core_1_1@r_1_1",
                                       "core_2_0@r_2_0", "core_2_1@r_2_1", "mem_0@r_0_1", "mem_1@r_0_0"});
    CHECK(topology.default_ports() == parse_port_model("1"));
    CHECK(log.remarks() ==
          Names{"small.yml: defaults for what it does not say: width of all channels (that of a flit); "
                "ignored: address ranges, "
                "protocols, which endpoints only send or only answer, directions of ports; its routing XY is "
                "--routing xy"});
}

TEST_CASE("keys that are not known are named, and misspelt ones refused", "[topology][floogen]")
{
    const std::string before = "name: line\n", routers = "routers: [{name: r, array: [2, 2]%R}]\n",
                      endpoints = "endpoints: [{name: c, array: [2, 2]%E}]\n",
                      connections = "connections: [{src: c, dst: r, src_range: [[0, 1], [0, 1]], "
                                    "dst_range: [[0, 1], [0, 1]]%C}]\n";
    const auto with = [&](std::map<char, std::string> more, const std::string& last = "") {
        std::string text = before + routers + endpoints + connections + last;
        for (const char place : {'R', 'E', 'C'}) {
            const std::size_t at = text.find(std::string("%") + place);
            text.replace(at, 2, more[place]);
        }
        return text;
    };
    const InputLog log;
    CHECK(topology_from_floogen(with({{'R', ", latency: 7"}, {'E', ", speed: 2"}, {'C', ", latency: 5"}},
                                     "routing: {route_algo: ID, vcs: 2}\nclock: 1\n"),
                                "line.yml")
              .channel_count() == 8);
    REQUIRE(log.remarks().size() == 1);
    CHECK_THAT(log.remarks().front(),
               Catch::Contains("ignored: clock, vcs of routing, latency of routers, speed of endpoints, "
                               "latency of connections"));
}

TEST_CASE("trees, several groups of routers, and ends of several kinds", "[topology][floogen]")
{
    const Topology tree = topology_from_floogen(R"(
name: tree
endpoints: [{name: c, array: [2, 4]}, {name: h, array: [3]}, {name: one}]
routers: [{name: r, tree: [1, 2, 2]}]
connections:
  - {src: c, dst: r, src_range: [[0, 1], [0, 3]], dst_lvl: 2, allow_multi: true}
  - {src: r, dst: h, src_lvl: 0, dst_range: [[0, 2]], allow_multi: true}
  - {src: one, dst: r, dst_idx: [0, 1]}
)",
                                                "tree.yml");
    test::check_invariants(tree);
    CHECK_FALSE(tree.grid());
    CHECK(links_of(tree) == Names{"r_0>r_0_0", "r_0>r_0_1", "r_0_0>r_0", "r_0_0>r_0_0_0", "r_0_0>r_0_0_1",
                                  "r_0_0_0>r_0_0", "r_0_0_1>r_0_0", "r_0_1>r_0", "r_0_1>r_0_1_0",
                                  "r_0_1>r_0_1_1", "r_0_1_0>r_0_1", "r_0_1_1>r_0_1"});
    CHECK(places_of(tree) == Names{"c_0_0@r_0_0_0", "c_0_1@r_0_0_0", "c_0_2@r_0_0_1", "c_0_3@r_0_0_1",
                                   "c_1_0@r_0_1_0", "c_1_1@r_0_1_0", "c_1_2@r_0_1_1", "c_1_3@r_0_1_1",
                                   "h_0@r_0", "h_1@r_0", "h_2@r_0", "one@r_0_1"});

    const Topology groups = topology_from_floogen(R"(
name: groups
description: an island, a row and a hub
endpoints: [{name: a, array: [2]}, {name: b}]
routers:
  - {name: row, array: [3], auto_connect: yes}
  - {name: island, array: [2, 1], auto_connect: false}
  - {name: hub}
connections:
  - {src: row, dst: hub, src_idx: 2}
  - {src: island, dst: hub, src_range: [[0, 1], [0, 0]], allow_multi: true}
  - {src: a, dst: island, src_range: [[0, 1]], dst_range: [[1, 0], [0, 0]]}
  - {src: hub, dst: b}
)",
                                                  "groups.yml");
    CHECK_FALSE(groups.grid());
    CHECK(links_of(groups) == Names{"hub>island_0_0", "hub>island_1_0", "hub>row_2", "island_0_0>hub",
                                    "island_1_0>hub", "row_0>row_1", "row_1>row_0", "row_1>row_2",
                                    "row_2>hub", "row_2>row_1"});
    CHECK(places_of(groups) == Names{"a_0@island_1_0", "a_1@island_0_0", "b@hub"});
}

TEST_CASE("a network of FlooGen is known by its name and by its content", "[topology][floogen][files]")
{
    const test::TemporaryFolder folder;
    for (const char* const name : {"a.yml", "b.yaml", "c.txt", "d"})
        CHECK(topology_from(folder.file(name, small_mesh)).processor_count() == 8);
    CHECK(topology_from(folder.file("e", "# a comment\n" + small_mesh)).channel_count() == 14);
}

} // namespace nocturne::floogen_test
