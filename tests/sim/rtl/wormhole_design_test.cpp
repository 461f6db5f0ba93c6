// The wormhole network, simulated, beside the routers of the model: every flit on every link in the same
// cycle.
#include "models/routing/make_routing.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "sim/rtl/bench_packets.hpp"
#include "sim/rtl/wormhole_design.hpp"
#include "sim/rtl/wormhole_plan.hpp"
#include "testbenches/rtl_equivalence/equivalence.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace nocturne::wormhole_design_test {

using namespace nocturne::rtl_equivalence;
using namespace nocturne::test;

namespace {

void check_equivalence(const WormholeCell& cell)
{
    INFO(cell.topology << ' ' << cell.routing << ' ' << cell.vcs << " VCs " << cell.stages);
    const TemporaryFolder folder;
    const Equivalence result = compare_wormhole(cell, folder / "design", Simulator::icarus);
    CHECK(result.difference == "");
    CHECK_THAT(result.verdict, Catch::StartsWith("PASS: " + std::to_string(cell.packets) + " packets"));
    CHECK(result.flits >= 2 * cell.packets); // injection and ejection at least
}

} // namespace

TEST_CASE("the wormhole network is the model, cycle by cycle", "[rtl][wormhole]")
{
    const WormholeCell cell =
        GENERATE(WormholeCell{"ring:4", "shortest+layers", 2, "1:1:1:1", "uniform", "1:1+5:1", 150},
                 WormholeCell{"mesh:2x3", "dor", 1, "1:1:1:1", "uniform", "1:1+9:1", 200},
                 WormholeCell{"mesh:2x2", "dor", 4, "2:1:2:2", "uniform", "1:1+5:1", 120},
                 WormholeCell{"torus:3x3", "dor+datelines", 3, "0:1:0:1", "uniform", "4", 120},
                 WormholeCell{"omega:8", "tag", 1, "0:1:0:0", "uniform", "1:1+5:1", 200},
                 WormholeCell{"star:4", "auto", 2, "0:1:1:1", "uniform", "1", 300});
    check_equivalence(cell);
}

namespace {

/// The network with channels of 4, 2, 1, 4 and 3 bytes a cycle in turn, and latencies of 1 to 3 cycles.
Topology with_narrow_channels(const std::string& name)
{
    nlohmann::json json = nlohmann::json::parse(to_json(make_topology(name)));
    constexpr std::array widths{4, 2, 1, 4, 3};
    for (std::size_t i = 0; i < json["channels"].size(); ++i) {
        json["channels"][i]["width_bytes"] = widths[i % widths.size()];
        json["channels"][i]["latency_cycles"] = 1 + i % 3;
    }
    for (const char* member : {"grid", "wraps"}) // its channels are no longer those of one
        json.erase(member);
    return topology_from_json(json.dump(), name);
}

} // namespace

TEST_CASE("a link narrower than a flit takes a flit in several cycles, as in the model",
          "[.night][rtl][wormhole]")
{
    HardwareConfig hardware;
    const auto [name, routing, vcs, stages] =
        GENERATE(table<std::string, std::string, unsigned, unsigned>({{"ring:4", "shortest+layers", 2, 1},
                                                                      {"mesh:2x3", "updown", 1, 1},
                                                                      {"complete:4", "shortest", 4, 0},
                                                                      {"mesh:3x3", "updown", 4, 0},
                                                                      {"mesh:3x3", "updown", 3, 1},
                                                                      {"mesh:3x3", "updown", 8, 2},
                                                                      {"star:4", "updown", 2, 2}}));
    hardware.vcs = vcs;
    hardware.router.route_computation = stages;
    hardware.router.switch_allocation = stages;
    hardware.buffer_flits = stages == 2 ? 3 : 8; // also where credits are short
    const Topology topology = with_narrow_channels(name);
    REQUIRE(std::ranges::any_of(
        topology.channels(), [&](const Channel& channel) { return hardware.cycles_per_flit(channel) == 4; }));
    const std::vector<BenchPacket> packets =
        draw_packets(make_pattern(topology, "uniform"), make_message_sizes("1:1,5:1"), {150, 0.05, 0.8, 3});
    const TemporaryFolder folder;
    const Equivalence result = compare_packets(topology, hardware, make_routing(topology, routing), packets,
                                               folder / "design", Simulator::icarus);
    INFO(name << ' ' << routing);
    CHECK(result.difference == "");
    CHECK(result.holds());
}

TEST_CASE("routers with pipelines and buffers of their own are the same cycle by cycle in hardware",
          "[.night][rtl][wormhole][parts]")
{
    const std::vector<std::string> rows{"router 0*: pipeline=3,1,2,0 buffers=3", "router 1..2,2: buffers=12",
                                        "link dim1: width=2 latency=3", "link 10->00: buffers=1",
                                        "router 11: pipeline=0,2,1,2"};
    const Topology topology = with_parts(make_topology("mesh:3x3"), rows);
    HardwareConfig hardware;
    hardware.vcs = GENERATE(1u, 2u);
    const Routing routing = make_routing(topology, "dor");
    const std::vector<BenchPacket> packets =
        draw_packets(make_pattern(topology, "uniform"), make_message_sizes("1:1,5:1"), {150, 0.05, 0.8, 3});
    const TemporaryFolder folder;
    const Equivalence result =
        compare_packets(topology, hardware, routing, packets, folder / "design", Simulator::icarus);
    CHECK(result.difference == "");
    CHECK(result.holds());
    // The network is another than without.
    const Equivalence plain =
        compare_packets(make_topology("mesh:3x3"), hardware, make_routing(make_topology("mesh:3x3"), "dor"),
                        packets, folder / "plain", Simulator::icarus);
    CHECK(plain.holds());
    CHECK(plain.verdict != result.verdict);
    for (const char* const row : {"router 00: clock=1/2", "router 00: vcs=2", "router 00: arbiter=age",
                                  "link 00->01: vcs=2", "router 00: pipeline=speculative",
                                  "router 00: injection=2", "router 00: ejection=2", "router 00: pool=4"})
        CHECK_THROWS_WITH(plan_wormhole(with_parts(make_topology("mesh:3x3"), std::vector<std::string>{row}),
                                        hardware, routing),
                          Catch::Contains("no wormhole network in hardware: "));
}

TEST_CASE("from the first cycle on it is the same arbiter's turn", "[.night][rtl][wormhole]")
{
    HardwareConfig hardware;
    const auto compare = [&](const std::string& name, const std::string& routing,
                             const std::vector<BenchPacket>& packets) {
        const Topology topology = make_topology(name);
        const TemporaryFolder folder;
        const Equivalence result = compare_packets(topology, hardware, make_routing(topology, routing),
                                                   packets, folder / "design", Simulator::icarus);
        CHECK(result.difference == "");
        CHECK(result.holds());
    };
    SECTION("of heads that come at once")
    {
        std::vector<BenchPacket> packets;
        for (ProcessorId destination = 0; destination < 5; ++destination)
            for (ProcessorId source = 0; source < 5; ++source)
                if (source != destination)
                    packets.push_back({destination * 100u, source, destination, 3});
        compare("complete:5", "shortest", packets);
    }
    SECTION("of flits of two classes, which get virtual channels of a link at once")
    {
        hardware.vcs = 2;
        // Over a router on the dateline and from there, both ways round: they meet at their common output.
        compare("torus:5", "dor+datelines",
                {{0, 4, 1, 4}, {0, 0, 3, 4}, {5, 0, 1, 4}, {5, 4, 3, 4}, {90, 4, 1, 4}, {95, 0, 1, 4}});
    }
    SECTION("of flits under full load")
    {
        hardware.vcs = 4;
        const Topology topology = make_topology("torus:5");
        for (std::uint64_t seed = 1; seed <= 4; ++seed)
            compare("torus:5", "dor+datelines",
                    draw_packets(make_pattern(topology, "uniform"), make_message_sizes("1:1,4:1"),
                                 {40, 1, 1, seed}));
    }
}

TEST_CASE("the bench sees a wrong route and a packet that does not come", "[rtl][wormhole]")
{
    const Topology topology = make_topology("ring:3");
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig hardware;
    hardware.vcs = 2;
    const std::vector<BenchPacket> packets{{0, 0, 1, 3}, {2, 1, 2, 1}};
    const RtlDesign right = wormhole_design(topology, hardware, routing, packets);
    const auto said = [&](const std::string& file, const std::string& old, const std::string& now) {
        RtlDesign design = right;
        for (RtlFile& each : design.files)
            if (each.name == file)
                each.content.replace(each.content.find(old), old.size(), now);
        const TemporaryFolder folder;
        write_new_folder(folder / "design", design.files);
        return run_bench(design, folder / "design", Simulator::icarus);
    };
    CHECK_THAT(said("README.md", "ring", "Ring"), Catch::StartsWith("PASS: 2 packets"));
    CHECK_THAT(said("expected.hex", "00001002", "00002002"), Catch::StartsWith("FAIL")); // somewhere else
    CHECK_THAT(said("expected.hex", "00001002", "00001001"), Catch::StartsWith("FAIL")); // of another length
}

namespace {

void replace_all(std::string& text, const std::string& old, const std::string& now)
{
    REQUIRE(text.find(old) != std::string::npos);
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
        text.replace(at, old.size(), now);
}

/// What the design says with another bench.
std::string said_with(const RtlDesign& design, const std::function<void(std::string&)>& change_bench)
{
    RtlDesign changed = design;
    const auto bench = std::ranges::find(changed.files, "wormhole_bench.sv", &RtlFile::name);
    REQUIRE(bench != changed.files.end());
    change_bench(bench->content);
    const TemporaryFolder folder;
    write_new_folder(folder / "design", changed.files);
    return run_bench(changed, folder / "design", Simulator::icarus);
}

/// A processor with a buffer of 4 flits for each virtual channel, which takes a flit out in every other
/// cycle.
constexpr const char* slow_sink = R"(
module slow_sink (
    input logic clock, input logic reset, input logic [34:0] flit, output logic [1:0] freed);
    integer fill [0:1];
    always @(posedge clock) begin
        freed <= 2'b00;
        if (reset) begin
            fill[0] = 0;
            fill[1] = 0;
        end else begin
            if (flit[34]) fill[flit[33]] = fill[flit[33]] + 1;
            if (fill[0] > 4 || fill[1] > 4) begin
                $display("FAIL: a buffer has no place");
                $finish;
            end
            if ($urandom % 2 == 0) begin
                if (fill[0] > 0) begin fill[0] = fill[0] - 1; freed <= 2'b10; end
                else if (fill[1] > 0) begin fill[1] = fill[1] - 1; freed <= 2'b11; end
            end
        end
    end
endmodule
)";

} // namespace

TEST_CASE("processors that do not take a flit in every cycle lose none, with buffers that the network knows",
          "[rtl][wormhole]")
{
    const Topology topology = make_topology("mesh:2x2");
    HardwareConfig hardware;
    hardware.vcs = 2;
    const RtlDesign design = wormhole_design(
        topology, hardware, make_routing(topology, "auto"),
        draw_packets(make_pattern(topology, "uniform"), make_message_sizes("1:1,6:1"), {100, 0.8, 0.9, 1}));
    const bool knows = GENERATE(true, false);
    const std::string said = said_with(design, [&](std::string& bench) {
        for (unsigned id = 0; id < 4; ++id) {
            const std::string number = std::to_string(id);
            replace_all(bench, "assign freed_" + number + " = '0;",
                        "slow_sink sink_" + number + " (.clock(clock), .reset(reset), .flit(arriving_" +
                            number + "), .freed(freed_" + number + "));");
        }
        if (knows)
            replace_all(bench, ".IMAGES(IMAGES)) dut", ".IMAGES(IMAGES), .EJECTION_FLITS(4)) dut");
        bench += slow_sink;
    });
    CHECK_THAT(said, Catch::StartsWith(knows ? "PASS: 100 packets" : "FAIL: a buffer has no place"));
}

TEST_CASE("packets to processors that do not exist are dropped and reported, and harm no others",
          "[rtl][wormhole]")
{
    const Topology topology = make_topology("ring:3");
    HardwareConfig hardware;
    hardware.vcs = 2;
    const std::vector<BenchPacket> packets{{0, 0, 1, 3}, {2, 1, 2, 1}, {9, 2, 1, 2}, {20, 2, 0, 4}};
    const RtlDesign design = wormhole_design(topology, hardware, make_routing(topology, "auto"), packets);
    const auto misroute = [](std::string& bench) {
        replace_all(bench, ".destination_0(destination_0)", ".destination_0(2'd3)");
    };
    CHECK_THAT(said_with(design, misroute), Catch::StartsWith("FAIL: 0 of 4 packets"));
    CHECK_THAT(said_with(design,
                         [&](std::string& bench) {
                             misroute(bench);
                             replace_all(bench, "any_refused ||", "");
                             replace_all(bench, "&& !any_refused", "");
                             replace_all(bench, "complete == 4", "complete == 3");
                         }),
               Catch::StartsWith("PASS: 3 packets"));
}

TEST_CASE("planes are the model, cycle by cycle", "[.night][rtl][wormhole]")
{
    const std::string interfaces = GENERATE("separate", "shared");
    const TemporaryFolder folder;
    const std::string chip = folder.file(
        "chip.json", R"({"format": "nocturne-composition", "version": 1, "name": "chip", "parts": [
            {"name": "noc0", "network": "oneway_torus:3x4", "with": ["link *->*: latency=2"]},
            {"name": "noc1", "network": "oneway_torus:3x4", "with": ["link *->*: latency=2"],
             "reversed": true}],
            "planes": {"tiles": "tile", "interfaces": ")" +
                         interfaces + R"("},
            "with": ["router tile_*/*: pipeline=crossbar"]})");
    check_equivalence({chip, "planes:xy+datelines,yx+datelines", 2, "1:1:1:1", "uniform", "1:1+5:1", 400});
}

} // namespace nocturne::wormhole_design_test
