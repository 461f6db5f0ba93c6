// What Yosys makes of the designs.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/rtl/scheduled_design.hpp"
#include "sim/rtl/wormhole_design.hpp"
#include "testbenches/rtl_equivalence/tools.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nocturne::yosys_test {

using namespace nocturne::rtl_equivalence;
using namespace nocturne::test;

namespace {

/// Synthesizes the design to gates, which must have no latch, no loop and no wire without a driver, and runs
/// the bench with these: their tables are in them, so that they have no parameter for images.
std::string said_of_gates(const RtlDesign& design)
{
    const TemporaryFolder folder;
    write_new_folder(folder / "design", design.files);
    const ToolRun synthesis = run_in(
        folder / "design", fmt::format("yosys -q -p 'read_verilog -sv -defer {}; synth -top {}; "
                                       "select -assert-none t:$_DLATCH_* t:$_DLATCHSR_*; check -assert; "
                                       "write_verilog -noattr gates.v'",
                                       fmt::join(design.design_sources, " "), design.top));
    if (synthesis.status != 0)
        return synthesis.output;
    return run_in(folder / "design", fmt::format("sed -i 's/#(.IMAGES(IMAGES)) dut/dut/' {1} && "
                                                 "iverilog -g2012 -s {0} -o bench gates.v {1} && ./bench",
                                                 design.bench, fmt::join(design.bench_sources, " ")))
        .output;
}

/// As the README prints it: the line that begins with the tool, and those that are indented behind it.
std::string printed_command(const RtlDesign& design, const std::string& tool)
{
    const auto readme = std::ranges::find(design.files, "README.md", &RtlFile::name);
    REQUIRE(readme != design.files.end());
    const std::string& text = readme->content;
    const std::size_t begin = text.find("\n    " + tool + " ");
    REQUIRE(begin != std::string::npos);
    std::size_t end = text.find('\n', begin + 1);
    while (text.compare(end, 6, "\n     ") == 0)
        end = text.find('\n', end + 1);
    return text.substr(begin + 1, end - begin - 1);
}

} // namespace

TEST_CASE("the gates of a scheduled network run its schedule", "[rtl][yosys]")
{
    const Example example = xor_scatter(2);
    ScheduledOptions options;
    options.hardware.t0_ns = 10;
    CHECK_THAT(said_of_gates(scheduled_design(example.schedule, example.topology, options)),
               Catch::Contains("PASS: 3 steps"));
}

TEST_CASE("the gates of a wormhole network deliver its packets", "[.night][rtl][yosys]")
{
    const Topology topology = make_topology("ring:3");
    HardwareConfig hardware;
    hardware.vcs = GENERATE(1u, 2u);
    hardware.buffer_flits = 2;
    const std::vector<BenchPacket> packets{
        {0, 0, 1, 3}, {0, 1, 2, 1}, {0, 2, 1, 5}, {1, 0, 2, 4}, {2, 1, 1, 2}};
    CHECK_THAT(
        said_of_gates(wormhole_design(topology, hardware, make_routing(topology, "shortest"), packets)),
        Catch::Contains("PASS: 5 packets"));
}

TEST_CASE("the commands of a README run as it prints them", "[rtl][yosys]")
{
    const Example example = xor_scatter(2);
    ScheduledOptions options;
    options.hardware.t0_ns = 10;
    const Topology topology = make_topology("ring:3");
    const std::vector<BenchPacket> packets{{0, 0, 1, 3}};
    const RtlDesign scheduled = scheduled_design(example.schedule, example.topology, options);
    const RtlDesign wormhole = wormhole_design(topology, {}, make_routing(topology, "shortest"), packets);
    for (const RtlDesign& design : {scheduled, wormhole, with_prefix(wormhole, "left")}) {
        INFO(design.top);
        const TemporaryFolder folder;
        write_new_folder(folder / "design", design.files);
        CHECK_THAT(run_in(folder / "design", printed_command(design, "iverilog")).output,
                   Catch::StartsWith("PASS: "));
        std::string command = printed_command(design, "yosys");
        const std::size_t synthesis = command.find("synth -top");
        REQUIRE(synthesis != std::string::npos);
        command.replace(synthesis, 5, "hierarchy -check"); // the other tests synthesize, which takes longer
        const ToolRun read = run_in(folder / "design", command);
        CHECK(read.status == 0);
        CHECK_THAT(read.output, Catch::Contains("Number of cells") && !Catch::Contains("ERROR"));
    }
}

TEST_CASE("two networks are parts of one design, with their images elsewhere", "[rtl]")
{
    const Example example = xor_scatter(2);
    ScheduledOptions options;
    options.hardware.t0_ns = 10;
    const Topology topology = make_topology("ring:3");
    const std::vector<BenchPacket> packets{{0, 0, 1, 3}};
    const TemporaryFolder folder;
    const RtlDesign left = with_prefix(scheduled_design(example.schedule, example.topology, options), "left");
    const RtlDesign right =
        with_prefix(wormhole_design(topology, {}, make_routing(topology, "shortest"), packets), "right");
    CHECK(left.top == "left_scheduled_network");
    CHECK(left.bench_sources ==
          std::vector<std::string>{"left_scheduled_bench.sv", "left_nocturne_memory.sv"});
    write_new_folder(folder / "left", left.files);
    write_new_folder(folder / "right", right.files);
    const auto said = [&](const RtlDesign& design, const std::string& images) {
        return run_in(folder / ".",
                      fmt::format("iverilog -g2012 -s {0} -P{0}.IMAGES='\"{1}\"' -o bench left/*.sv "
                                  "right/*.sv && timeout 60 vvp bench",
                                  design.bench, images))
            .output;
    };
    CHECK_THAT(said(left, "left/"), Catch::StartsWith("PASS: 3 steps"));
    CHECK_THAT(said(right, "right/"), Catch::StartsWith("PASS: 1 packets"));
    // Not there: it is said, and the bench ends.
    for (const RtlDesign* design : {&left, &right})
        CHECK_THAT(said(*design, "nowhere/"),
                   Catch::Contains("FAIL: the images are not in the folder that IMAGES names"));
    for (const char* wrong : {"", "2x", "a-b", "a b", "ä"})
        CHECK_THROWS_WITH(with_prefix(left, wrong), Catch::Contains("is no name in Verilog"));
}

} // namespace nocturne::yosys_test
