// What Yosys makes of the designs.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/rtl/scheduled_design.hpp"
#include "sim/rtl/wormhole_design.hpp"
#include "testbenches/rtl_equivalence/tools.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nocturne::yosys_test {

using namespace nocturne::rtl_equivalence;
using namespace nocturne::test;

namespace {

/// Synthesizes as far as it takes to see latches, loops and undriven wires.
ToolRun check_with_yosys(const RtlDesign& design)
{
    const TemporaryFolder folder;
    write_design(folder / "design", design);
    return run_in(
        folder / "design",
        fmt::format("yosys -q -p 'read_verilog -sv -defer {}; hierarchy -check -top {}; proc; flatten; "
                    "opt -fast; select -assert-none t:$dlatch t:$_DLATCH_*; check -assert'",
                    fmt::join(design.design_sources, " "), design.top));
}

} // namespace

TEST_CASE("Yosys reads the designs, and finds no latch, no loop and no wire without a driver", "[rtl][yosys]")
{
    const Example example = xor_scatter(2);
    const ToolRun scheduled = check_with_yosys(scheduled_design(example.schedule, example.topology, {}));
    INFO(scheduled.output);
    CHECK(scheduled.status == 0);
    for (const unsigned vcs : {1u, 2u}) {
        const Topology topology = make_topology("ring:3");
        HardwareConfig hardware;
        hardware.vcs = vcs;
        const std::vector<BenchPacket> packets{{0, 0, 1, 3}};
        const ToolRun wormhole = check_with_yosys(
            wormhole_design(topology, hardware, make_routing(topology, "shortest"), packets));
        INFO(wormhole.output);
        CHECK(wormhole.status == 0);
    }
}

} // namespace nocturne::yosys_test
