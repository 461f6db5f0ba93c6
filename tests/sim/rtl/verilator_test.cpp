// What Verilator makes of the designs; compiling costs seconds, so that they are small.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "sim/rtl/scheduled_design.hpp"
#include "sim/rtl/wormhole_design.hpp"
#include "testbenches/rtl_equivalence/equivalence.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

namespace nocturne::verilator_test {

using namespace nocturne::rtl_equivalence;
using namespace nocturne::test;

namespace {

/// Of the network, and of the bench around it.
std::string lint(const RtlDesign& design)
{
    const TemporaryFolder folder;
    write_new_folder(folder / "design", design.files);
    const auto remarks = [&](const std::string& top, const std::string& sources) {
        return run_in(folder / "design",
                      // from version 5.030 on it says what it did, too
                      fmt::format("verilator --lint-only --timing -Wall --top-module {} {} | sed '/^- /d'",
                                  top, sources))
            .output;
    };
    return remarks(design.top, fmt::format("{}", fmt::join(design.design_sources, " "))) +
           remarks(design.bench, "*.sv");
}

} // namespace

TEST_CASE("a verilated network is the model, cycle by cycle", "[.night][rtl][verilator]")
{
    // Optimized, the bench takes longer to compile than it saves.
    ::setenv("MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", 1);
    const TemporaryFolder folder;
    SECTION("wormhole")
    {
        const Equivalence result =
            compare_wormhole({"ring:3", "shortest+layers", 2, "1:1:1:1", "uniform", "1:1+5:1", 3000},
                             folder / "design", Simulator::verilator);
        CHECK(result.difference == "");
        CHECK(result.holds());
    }
    SECTION("scheduled")
    {
        const Example example = xor_scatter(2);
        const Equivalence result = compare_scheduled(example.schedule, example.topology, {},
                                                     folder / "design", Simulator::verilator);
        CHECK(result.difference == "");
        CHECK(result.holds());
    }
}

TEST_CASE("Verilator has no remark on the designs", "[rtl][verilator]")
{
    // Of a scatter the source has more words than the others.
    for (const Example& example : {xor_scatter(2), printed("gallery/btree_4_OAS_from_0.json")})
        CHECK(lint(scheduled_design(example.schedule, example.topology, {})) == "");
    for (const unsigned vcs : {1u, 2u, 4u}) {
        const Topology topology = make_topology("mesh:2x3");
        HardwareConfig hardware;
        hardware.vcs = vcs;
        const std::vector<BenchPacket> packets{{0, 0, 1, 3}};
        CHECK(lint(wormhole_design(topology, hardware, make_routing(topology, "auto"), packets)) == "");
    }
}

TEST_CASE("Verilator has no remark on narrow links and on pipelines of any length", "[rtl][verilator]")
{
    // Routers of a mesh and of a star have different numbers of ports, routes one width for all of them.
    const auto [name, part, vcs, stages] = GENERATE(table<std::string, std::string, unsigned, Pipeline>(
        {{"mesh:3x3", "link 0,0->*: width=2", 2, {1, 1, 1, 1}},
         {"star:6", "link *->*: width=1 latency=3", 4, {0, 1, 0, 0}},
         {"mesh:3x3", "router 0*: pipeline=3,1,2,0 buffers=3", 1, {0, 1, 0, 1}},
         {"mesh:1x2", "link *->*: width=2", 2, {2, 1, 3, 2}}}));
    INFO(name << ' ' << part);
    const Topology topology = with_parts(make_topology(name), std::vector<std::string>{part});
    HardwareConfig hardware;
    hardware.vcs = vcs;
    hardware.router = stages;
    const std::vector<BenchPacket> packets{{0, 0, 1, 3}};
    CHECK(lint(wormhole_design(topology, hardware, make_routing(topology, "auto"), packets)) == "");
}

} // namespace nocturne::verilator_test
