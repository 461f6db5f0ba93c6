// The wormhole network, simulated, beside the routers of the model: every flit on every link in the same
// cycle.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/rtl/bench_packets.hpp"
#include "sim/rtl/flit_trace.hpp"
#include "sim/rtl/wormhole_design.hpp"
#include "tests/sim/rtl/tools.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace nocturne::wormhole_design_test {

using namespace nocturne::test;

namespace {

struct Case {
    std::string topology;
    std::string routing = "auto";
    HardwareConfig hardware = {};
    std::string pattern = "uniform";
    std::string sizes = "1:1,3:1,8:1";
    BenchTraffic traffic = {300, 0.05, 1, 1};
};

void check_equivalence(Case each)
{
    INFO(each.topology << ' ' << each.routing << ' ' << each.hardware.vcs << " VCs");
    const Topology topology = make_topology(each.topology);
    const Routing routing = make_routing(topology, each.routing);
    each.hardware.vcs = std::max(each.hardware.vcs, routing.vc_classes);
    const std::vector<BenchPacket> packets =
        draw_packets(make_pattern(topology, each.pattern), make_message_sizes(each.sizes), each.traffic);
    const Job job = [&] { return nlohmann::json(trace_packets(topology, each.hardware, routing, packets)); };
    const std::string theirs = sorted_lines(run_jobs(std::span(&job, 1)).front().get<std::string>());

    const TemporaryFolder folder;
    const BenchRun bench =
        run_with_icarus(wormhole_design(topology, each.hardware, routing, packets), folder / "design");
    INFO(bench.output);
    CHECK(bench.output.find(fmt::format("PASS: {} packets", packets.size())) == 0);
    CHECK_FALSE(theirs.empty());
    CHECK(first_difference(bench.trace, theirs) == "");
}

} // namespace

TEST_CASE("the wormhole network is the model, cycle by cycle", "[rtl][wormhole]")
{
    const std::string topology =
        GENERATE("ring:5", "mesh:3x3", "torus:4x4", "omega:8", "fattree:8", "octagon:8");
    const unsigned vcs = GENERATE(1u, 4u);
    HardwareConfig hardware;
    hardware.vcs = vcs;
    check_equivalence({topology, "auto", hardware});
}

} // namespace nocturne::wormhole_design_test
