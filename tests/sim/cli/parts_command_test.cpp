// Parts with properties of their own as users have them: rows on the command line, files, and what they cost.
#include "models/network/zero_load.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace nocturne::parts_command_test {

using namespace nocturne::test;
using nlohmann::json;

namespace {

const Arguments quick{"--load", "0.05", "--warm-up", "200", "--window", "2000", "--drain", "2000"};

json points_of(const json& document)
{
    return document["curves"][0]["points"];
}

/// The latency of one message of 8 flits from the first processor to the last, as a trace.
double latency_of_one(const TemporaryFolder& folder, const Arguments& more)
{
    std::ofstream(folder / "one.csv") << "cycle,source,destination,bytes,after\n0,00,33,32,\n";
    const json document = nocturne_json(
        with({"traffic", "mesh:4x4", "--trace", folder / "one.csv", "--routing", "dor", "--json"}, more));
    return document["average_packet_latency_cycles"];
}

} // namespace

TEST_CASE("a row on the command line makes the network that a file with the same properties is",
          "[cli][parts]")
{
    const TemporaryFolder folder;
    const Arguments rows{"--part", "router 0*: pipeline=2,1,1,1 buffers=6",
                         "--part", "router 3,*: clock=1/2 vcs=2",
                         "--part", "link dim0: width=2 buffers=12"};
    for (const char* const format : {"json", "graphml", "dot"}) {
        const std::string file = folder / (std::string("net.") + format);
        CHECK(text_of(with({"topology", "mesh:4x4", "--output", file}, rows)).empty());
        const json by_row = nocturne_json(with(with({"traffic", "mesh:4x4", "--json"}, rows), quick));
        const json by_file = nocturne_json(with({"traffic", file, "--json"}, quick));
        CHECK(points_of(by_row) == points_of(by_file));
        CHECK(by_row["curves"][0]["topology"] ==
              "mesh:4x4 with router 0*: pipeline=2,1,1,1 buffers=6 (4 routers); router 3,*: clock=1/2 vcs=2 "
              "(4 routers); link dim0: width=2 buffers=12 (24 links)");
        const json plain = nocturne_json(with({"traffic", "mesh:4x4", "--json"}, quick));
        CHECK(points_of(plain)[0]["average_packet_latency_cycles"] <
              points_of(by_row)[0]["average_packet_latency_cycles"]);
    }
}

TEST_CASE("a message alone takes what the formula says of the routers and links on its way", "[cli][parts]")
{
    const TemporaryFolder folder;
    const double plain = latency_of_one(folder, {});
    // Seven routers; the message turns in 03 and goes down the last column.
    CHECK(latency_of_one(folder, {"--part", "router 0*: pipeline=2,1,1,1"}) == plain + 4);
    CHECK(latency_of_one(folder, {"--part", "router 3*: pipeline=2,1,1,1"}) == plain + 1);
    CHECK(latency_of_one(folder, {"--part", "link 13->23: latency=4"}) == plain + 3);
    for (const std::string row : {"router 1..2,3: clock=2/3", "router 0,*: clock=2", "link dim1: width=1"}) {
        INFO(row);
        const Topology network = with_parts(make_topology("mesh:4x4"), std::vector{row});
        HardwareConfig hardware;
        hardware.cycle_ns = 3;
        // A trace begins in cycle 1.
        const Route route = make_routing(network, "dor").route(0, 15);
        CHECK(latency_of_one(folder, {"--part", row, "--cycle-ns", "3"}) ==
              static_cast<double>(zero_load_cycles(network, hardware, route, 8, 1)));
    }
}

TEST_CASE("the message level has buffers and links of their own", "[cli][parts]")
{
    const Arguments rows{"--model", "worm", "--part", "router 0*: buffers=2", "--part", "link dim0: width=1"};
    const json plain = nocturne_json(with({"traffic", "mesh:4x4", "--model", "worm", "--json"}, quick));
    const json parts = nocturne_json(with(with({"traffic", "mesh:4x4", "--json"}, rows), quick));
    CHECK(points_of(plain)[0]["average_packet_latency_cycles"] <
          points_of(parts)[0]["average_packet_latency_cycles"]);
}

TEST_CASE("classes of traffic have other virtual channels on some links", "[cli][parts]")
{
    const Arguments classes{"--class", "bulk,load=0.2,packet-flits=16,vcs=1",
                            "--class", "control,load=0.02,packet-flits=1,vcs=1",
                            "--vcs",   "2"};
    const Arguments timing(quick.begin() + 2, quick.end());
    const json same = nocturne_json(with(with({"traffic", "mesh:4x4", "--json"}, classes), timing));
    const json more = nocturne_json(
        with(with({"traffic", "mesh:4x4", "--json", "--class-vcs", "link *->*: bulk=3"}, classes), timing));
    CHECK(more["curves"][0]["topology"] == "mesh:4x4 with link *->*: bulk=3 (48 links)");
    // Bulk packets that need not wait for each other's tails are faster; the others have no other channels.
    CHECK(points_of(more)[0]["average_packet_latency_cycles"] <
          points_of(same)[0]["average_packet_latency_cycles"]);
    const json nothing = nocturne_json(
        with(with({"traffic", "mesh:4x4", "--json", "--class-vcs", "link *->*: bulk=1 control=1"}, classes),
             timing));
    CHECK(points_of(nothing) == points_of(same));
}

TEST_CASE("what some of the hardware of a call has is taken", "[cli][parts]")
{
    CHECK(run_words("replay " + library("octagon8_aas.json") + " --background 0.05 --arbiter priority")
              .status == 0);
    // Of several networks one will do, and who sets both means whatever there is.
    for (const std::string call : {"mesh:2x2 --topology omega:8 --crossbar-stages 0,2,0,1",
                                   "omega:8 --crossbar-stages 1,1,1,1 --router-stages 1,1,1,1"})
        CHECK(run_words("traffic --load 0.05 --window 60 --warm-up 10 " + call).status == 0);
}

} // namespace nocturne::parts_command_test
