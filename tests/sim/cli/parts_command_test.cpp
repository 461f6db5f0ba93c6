// What parts with properties of their own cost a message.
#include "models/network/zero_load.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

namespace nocturne::parts_command_test {

using namespace nocturne::test;

TEST_CASE("a message alone takes what the formula says of the routers and links on its way", "[cli][parts]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("one.csv", "cycle,source,destination,bytes,after\n0,00,33,32,\n");
    for (const std::string row : {"router 1..2,3: clock=2/3", "router 0,*: clock=2", "link dim1: width=1",
                                  "router 0*: pipeline=2,1,1,1", "link 13->23: latency=4"}) {
        INFO(row);
        const Topology network = with_parts(make_topology("mesh:4x4"), std::vector{row});
        HardwareConfig hardware;
        hardware.cycle_ns = 3;
        const auto run = nocturne_json({"traffic", "mesh:4x4", "--trace", trace, "--routing", "dor", "--json",
                                        "--part", row, "--cycle-ns", "3"});
        // A trace begins in cycle 1.
        const Route route = make_routing(network, "dor").route(0, 15);
        CHECK(run["average_packet_latency_cycles"] == zero_load_cycles(network, hardware, route, 8, 1));
    }
}

} // namespace nocturne::parts_command_test
