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
using Catch::Contains;
using Catch::StartsWith;
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

TEST_CASE("what cannot be is refused in one line, and nothing is written", "[cli][parts]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "made.json";
    const auto refused = [&](const Arguments& arguments, const std::string& reason) {
        const Outcome outcome = run_nocturne(arguments);
        INFO(outcome.err);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, Contains(reason));
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        CHECK_FALSE(std::filesystem::exists(file));
    };
    refused({"topology", "mesh:4x4", "--part", "router 9*: vcs=2", "--output", file},
            "part 'router 9*: vcs=2': mesh:4x4 has no such router");
    refused({"topology", "mesh:4x4", "--part", "router 0*: vcs=99", "--output", file}, "from 1 to 32");
    refused(with({"traffic", "mesh:4x4", "--csv", file, "--part", "router 0*: vcs=2", "--part",
                  "router 00: vcs=3"},
                 quick),
            "contradicts 'router 0*: vcs=2'");
    refused(with({"traffic", "torus:4x4", "--csv", file, "--part", "link 00->01: vcs=1"}, quick),
            "the routing needs 2 virtual channels, ");
    for (const std::string property : {"pipeline=2,1,1,1", "vcs=2", "arbiter=age", "clock=1/2"})
        refused(with({"traffic", "mesh:4x4", "--csv", file, "--model", "worm", "--part",
                      "router 00: " + property},
                     quick),
                "of its own; that takes the model flit");
    refused(with({"traffic", "mesh:4x4", "--csv", file, "--part", "router 00: clock=3/7"}, quick),
            "is no whole number of picoseconds; it is with a multiple of 0.003");
    refused(with({"traffic", "mesh:4x4", "--csv", file, "--routing", "adaptive", "--selection", "neighbours",
                  "--part", "router 00: clock=1/2"},
                 quick),
            "selection neighbours");
    refused(with({"traffic", "mesh:4x4", "--csv", file, "--class", "a,load=0.02,vcs=1", "--class-vcs",
                  "link 00->22: a=2"},
                 Arguments(quick.begin() + 2, quick.end())),
            "--class-vcs 'link 00->22: a=2': mesh:4x4 has no such link");
    refused(with({"traffic", "mesh:4x4", "--csv", file, "--class", "a,load=0.02,vcs=1", "--class-vcs",
                  "link *->*: a=2", "--fault", "link:00-01", "--fault-cycle", "9", "--reroute-after", "9"},
                 Arguments(quick.begin() + 2, quick.end())),
            "--class-vcs: no --reroute-after beside it");
    refused(with({"traffic", "mesh:4x4", "--csv", file, "--class", "a,load=0.02", "--class-vcs",
                  "link 00->01: a=2"},
                 Arguments(quick.begin() + 2, quick.end())),
            "class a has no vcs=");
    std::ofstream(folder / "net.json")
        << R"({"format": "nocturne-topology", "version": 1, "name": "x", "default_ports": "1",
               "routers": [{"name": "a", "clock": "x"}], "processors": [], "channels": []})";
    refused({"topology", folder / "net.json", "--output", file}, "net.json: /routers/0/clock: clock 'x'");
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

TEST_CASE("what the hardware of a call has not is refused, not passed over", "[cli][parts]")
{
    const auto refused = [](Arguments arguments, const std::string& text) {
        if (arguments.front() == "traffic")
            arguments.insert(arguments.end(), {"--load", "0.05", "--window", "60", "--warm-up", "10"});
        check_refused(arguments, {text});
    };
    const std::string schedule = library("octagon8_aas.json");
    const Arguments flow{"contract", "mesh:2x2", "--flow", "source=00,destination=11,mbytes_per_s=90"};
    const auto with = [](Arguments arguments, const Arguments& more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    refused({"traffic", "mesh:3x3", "--t0-ns", "5"}, "--t0-ns: takes a schedule");
    refused({"traffic", "mesh:3x3", "--closed-loop", "1", "--t0-ns", "5"}, "--t0-ns: takes a schedule");
    refused(with(flow, {"--t0-ns", "5"}), "--t0-ns: takes a schedule");
    refused({"export", "mesh:2x2", "--rtl", "made", "--t0-ns", "5"}, "--t0-ns: takes a schedule");
    for (const Arguments& call : {Arguments{"traffic", "mesh:3x3"},
                                  {"replay", schedule},
                                  {"compare", schedule},
                                  {"recover", schedule, "--fault", "link:0-1", "--at-step", "2"},
                                  flow,
                                  {"export", schedule, "--rtl", "made"},
                                  {"recover", "--unscheduled", "ring:4", "--collective", "AAS", "--fault",
                                   "link:0-1", "--at-ns", "9"}}) {
        refused(with(call, {"--synchronizer-cycles", "3"}), "takes routers with clocks of their own");
        refused(with(call, {"--crossbar-stages", "1,1,1,1"}), "takes a network of crossbar switches");
        if (call.front() == "contract" || call.front() == "export")
            continue;
        for (const auto& [option, value] : {std::pair{"--switch-allocator", "wavefront"},
                                            {"--switch-iterations", "2"},
                                            {"--vc-allocator", "rotating"},
                                            {"--arbiter", "age"},
                                            {"--input-speedup", "1"}})
            refused(with(call, {"--model", "worm", option, value}),
                    std::string(option) + ": takes --model flit");
        refused(with(call, {"--arbiter", "priority"}), "--arbiter priority: takes ");
    }
    check_refused({"traffic", "mesh:3x3", "--closed-loop", "1", "--arbiter", "priority"},
                  {"takes a --class"});
    CHECK(run_nocturne({"replay", schedule, "--background", "0.05", "--arbiter", "priority"}).status == 0);
    refused({"traffic", "omega:8", "--router-stages", "2,1,1,1"}, "takes a network of routers");
    // Of several networks one will do, and who sets both means whatever there is.
    for (const Arguments& call :
         {Arguments{"mesh:2x2", "--topology", "omega:8", "--crossbar-stages", "0,2,0,1"},
          {"omega:8", "--crossbar-stages", "1,1,1,1", "--router-stages", "1,1,1,1"}})
        CHECK(run_nocturne(with({"traffic", "--load", "0.05", "--window", "60", "--warm-up", "10"}, call))
                  .status == 0);
}

} // namespace nocturne::parts_command_test
