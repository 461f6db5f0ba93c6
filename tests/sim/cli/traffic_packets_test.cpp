// What traffic writes of packets, and the kinds of traffic and faults that it takes, as its users have them.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

namespace nocturne::traffic_packets_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

Arguments quick(const Arguments& more)
{
    Arguments arguments{"traffic", "mesh:3x3", "--warm-up", "200", "--window", "1000", "--drain", "1000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

json point_of(const json& document)
{
    return document["curves"][0]["points"][0];
}

} // namespace

TEST_CASE("traffic writes the packets, flows and latencies of a point", "[cli][traffic]")
{
    const std::string model = GENERATE("flit", "worm");
    const TemporaryFolder folder;
    const json document =
        nocturne_json(quick({"--packet-log", folder / "log.csv", "--flows", folder / "flows.csv",
                             "--histogram", folder / "histogram.csv", "--model", model, "--json"}));
    const json point = point_of(document);
    const std::string log = content_of(folder / "log.csv");
    CHECK(std::ranges::count(log, '\n') == 1 + point["packets"].get<std::int64_t>());
    CHECK_THAT(log, StartsWith("class,packet,source,destination,flits,created_cycle,") &&
                        Contains("\ntraffic,0,00,"));
    const std::string flows = content_of(folder / "flows.csv");
    CHECK_THAT(flows, StartsWith("source,destination,packets,accepted_flit_rate,average_hops,"));
    CHECK(std::ranges::count(flows, '\n') == 1 + static_cast<std::ptrdiff_t>(point["flows"].size()));
    const std::string histogram = content_of(folder / "histogram.csv");
    CHECK_THAT(histogram, StartsWith("latency_cycles,latency_ns,packets,"));
    CHECK(std::ranges::count(histogram, '\n') == 1 + static_cast<std::ptrdiff_t>(point["histogram"].size()));
    // Without them there is nothing of it, and the same figures.
    json plain = point_of(nocturne_json(quick({"--model", model, "--json"})));
    CHECK_FALSE(plain.contains("flows"));
    plain["flows"] = point["flows"];
    plain["histogram"] = point["histogram"];
    CHECK(plain == point);
}

TEST_CASE("a packet log whose name ends in .bin is binary", "[cli][traffic]")
{
    const std::string model = GENERATE("flit", "worm");
    const TemporaryFolder folder;
    const json point =
        point_of(nocturne_json(quick({"--packet-log", folder / "log.bin", "--model", model, "--json"})));
    const std::string log = content_of(folder / "log.bin");
    const std::size_t begin = log.find('\n') + 1;
    const json header = json::parse(log.substr(0, begin));
    CHECK(header["processors"].size() == 9);
    CHECK(log.size() - begin ==
          header["record_bytes"].get<std::size_t>() * point["packets"].get<std::size_t>());
}

TEST_CASE("traffic says how long it warmed up", "[cli][traffic]")
{
    const json fixed = point_of(nocturne_json(quick({"--json"})));
    CHECK(fixed["warm_up_cycles"] == 200);
    CHECK(fixed["warm_up_reason"].is_null());
    const json found = point_of(
        nocturne_json({"traffic", "mesh:3x3", "--warm-up-rule", "mser-5", "--window", "1000", "--json"}));
    CHECK(found["warm_up_cycles"] < 10'000);
    CHECK_THAT(found["warm_up_reason"].get<std::string>(), StartsWith("MSER-5: the transient ended in"));
}

TEST_CASE("traffic runs several classes", "[cli][traffic]")
{
    const Arguments classes{"--class", "small,load=0.02,packet-flits=1,vcs=1", "--class",
                            "large,load=0.1,pattern=transpose,vcs=2"};
    Arguments arguments = classes;
    arguments.emplace_back("--json");
    const json document = nocturne_json(quick(arguments));
    CHECK(document["curves"][0]["pattern"] == "small uniform + large transpose");
    CHECK(document["curves"][0]["vcs"] == 3);
    const json point = point_of(document);
    CHECK(point["classes"].size() == 2);
    CHECK(point["load"] == Approx(0.12));
    CHECK_THAT(text_of(quick(classes)), Contains("Classes") && Contains("small"));
}

TEST_CASE("classes saturate together, and have faults", "[cli][traffic]")
{
    const Arguments classes{"--class", "small,load=0.02,packet-flits=1,vcs=1", "--class",
                            "large,load=0.1,pattern=transpose,vcs=2"};
    const Arguments search = with(classes, {"--saturation", "--tolerance", "0.2"});
    const json curve = nocturne_json(quick(with(search, {"--json"})))["curves"][0];
    CHECK(curve["scaled"] ==
          "the loads of all classes by one factor, 1 for small 0.02 + large 0.1, 0.12 together");
    for (const json& point : curve["points"])
        CHECK(point["classes"][0]["load"].get<double>() == Approx(point["load"].get<double>() / 6));
    CHECK_THAT(text_of(quick(search)), Contains("scaled: the loads of all classes") && Contains("Classes"));
    const Arguments fault{"--fault", "link:11-12", "--fault-cycle", "300", "--reroute-after", "10", "--json"};
    const json faulty = nocturne_json(quick(with(classes, fault)))["curves"][0];
    CHECK(faulty["vcs"] > 3);
    CHECK(faulty["points"][0]["faults"]["rerouted_packets"] > 0);
    const json point = faulty["points"][0];
    CHECK(point["classes"][0]["lost_packets"].get<int>() + point["classes"][1]["lost_packets"].get<int>() ==
          point["faults"]["lost_packets"]);
    const json before = nocturne_json(quick({"--class", "a,load=0.02", "--fault", "link:00-01", "--json"}));
    CHECK(before["curves"][0]["topology"] == "mesh:3x3 with link:00-01");
}

TEST_CASE("traffic loses parts of the network, before or during the run", "[cli][traffic]")
{
    const json before = nocturne_json(quick({"--fault", "link:00-01", "--json"}));
    CHECK(before["curves"][0]["topology"] == "mesh:3x3 with link:00-01");
    CHECK(point_of(before)["faults"].is_null());
    const Arguments during{"--fault", "link:11-12", "--fault-cycle", "300"};
    Arguments arguments = during;
    arguments.emplace_back("--json");
    const json lost = point_of(nocturne_json(quick(arguments)))["faults"];
    CHECK(lost["lost_packets"] > 0);
    CHECK(lost["rerouted_packets"] == 0);
    arguments.insert(arguments.end(), {"--reroute-after", "10"});
    const json around = nocturne_json(quick(arguments));
    CHECK(point_of(around)["faults"]["lost_packets"] < lost["lost_packets"]);
    CHECK(point_of(around)["faults"]["rerouted_packets"] > 0);
    CHECK(around["curves"][0]["vcs"] > 1);
    CHECK_THAT(text_of(quick(during)), Contains("Cost of the faults"));
    CHECK_THAT(run_nocturne(quick({"--fault", "link:11-12", "--fault-cycle", "99999"})).err,
               Contains("mesh:3x3: load 0.1: the last packet arrived in cycle") &&
                   Contains("before the fault in cycle 99999"));
}

TEST_CASE("traffic sends to several destinations", "[cli][traffic]")
{
    const std::string model = GENERATE("flit", "worm");
    const TemporaryFolder folder;
    const Arguments four{"--pattern", "multicast:4", "--model", model};
    const json point = point_of(nocturne_json(quick(with(four, {"--json"}))));
    CHECK(point["multicast"]["sent_as"] == "4 unicasts, one behind the other");
    CHECK(point["multicast"]["average_last_latency_cycles"] >
          point["multicast"]["average_mean_latency_cycles"]);
    CHECK(point["measured_packets"] == 4 * point["multicast"]["multicasts"].get<int>());
    CHECK_THAT(text_of(quick(four)), Contains("Multicasts") && Contains("4 unicasts"));
    const std::string groups = folder.file("groups.csv", "source,destinations\n00,11 22\n22,00\n");
    const json of_file =
        point_of(nocturne_json(quick({"--pattern", "multicast:" + groups, "--model", model, "--json"})));
    CHECK(of_file["multicast"]["sent_as"] == "1 to 2 unicasts, one behind the other");
    CHECK(point_of(nocturne_json(quick({"--model", model, "--json"})))["multicast"].is_null());
}

TEST_CASE("traffic takes an application in MB/s", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const std::string file =
        folder.file("app.csv", "source,destination,mbytes_per_s\ncpu,memory,800\nmemory,cpu,200\n");
    const json curve =
        nocturne_json(quick({"--pattern", "application:" + file, "--load", "rates", "--json"}))["curves"][0];
    // 4 bytes in 2 ns: 0.4 and 0.1 flits a cycle, over nine processors.
    CHECK(curve["points"][0]["load"] == Approx(0.5 / 9));
    CHECK(curve["mapping"].size() == 2);
    CHECK(curve["mapping_cost"] == 1000);
    CHECK(curve["mapping_origin"] == "annealed");
    const std::string map = folder.file("map.csv", "core,processor\ncpu,00\nmemory,22\n");
    const json mapped = nocturne_json(quick({"--pattern", "application:" + file + "," + map, "--json"}));
    CHECK(mapped["curves"][0]["mapping_cost"] == 4000);
    CHECK(mapped["curves"][0]["mapping_origin"] == map);
}

TEST_CASE("what export writes of a schedule in GOAL and for Chakra is read back as a trace", "[cli][traffic]")
{
    const TemporaryFolder folder;
    REQUIRE(run_nocturne({"schedule", "ring:4", "--collective", "allgather", "--objective", "time",
                          "--chunks", "1", "-o", folder / "ring.json"})
                .status == 0);
    REQUIRE(run_nocturne({"export", folder / "ring.json", "--bytes", "4KiB", "--goal", folder / "ring.goal",
                          "--chakra", folder / "traces"})
                .status == 0);
    const auto replayed = [&](const std::string& file, const std::string& link_cycles) {
        return nocturne_json({"traffic", "ring:4", "--trace", folder / file, "--link-cycles", link_cycles,
                              "--buffer-flits", "0", "--flows", folder / "flows.csv", "--json"});
    };
    const json goal = replayed("ring.goal", "1");
    const json chakra = replayed("traces/trace.0.et", "1");
    CHECK(goal["messages"] == 12); // each of four ranks gets three blocks
    CHECK(chakra["time_cycles"] == goal["time_cycles"]);
    CHECK(chakra["flows"] == goal["flows"]);
    CHECK(replayed("ring.goal", "9")["time_cycles"] > goal["time_cycles"]);
    CHECK_THAT(chakra["made_by"]["remarks"][0].get<std::string>(), Contains("start times, tensors"));
    const Outcome refused = run_nocturne({"traffic", "mesh:1x2", "--trace", folder / "ring.goal"});
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, Contains("ring.goal:1: 4 ranks for the 2 processors"));
}

TEST_CASE("a trace has the use of channels, energy, heat and a timeline as other traffic has",
          "[cli][traffic]")
{
    const std::string model = GENERATE("flit", "worm");
    const TemporaryFolder folder;
    // Three hops with 8 flits, one hop with 2, and one of two flits to itself.
    const std::string trace =
        folder.file("t.csv", "cycle,source,destination,bytes,after\n0,00,12,32,\n5,00,01,8,\n3,22,22,8,1\n");
    const std::string energies =
        folder.file("energies.json",
                    R"({"format": "nocturne-energy", "version": 1, "name": "plain", "source": "none",
            "flits": [{"flit_bytes": 4, "buffer_write_pj": 1, "buffer_read_pj": 2, "crossbar_pj": 4}],
            "arbitration_pj": 8, "clock_pj": 0, "leakage_mw": 0, "link_pj_per_byte_mm": 16})");
    const Arguments plain{"traffic", "mesh:3x3", "--trace", trace, "--model", model};
    const Arguments all =
        with(plain,
             {"--channel-use", "--batches", "5", "--heat", folder / "heat.svg", "--energy", energies,
              "--energy-svg", folder / "energy.svg", "--timeline", folder / "timeline.json", "--packet-log",
              folder / "log.csv", "--flows", folder / "flows.csv", "--histogram", folder / "histogram.csv"});
    json result = nocturne_json(with(all, {"--json"}));
    CHECK(result["channels"].size() == 24 + 9 + 9);
    CHECK(result["channels"][0]["utilisation"].size() == 5);
    // By hand: buffers and crossbar of each flit at each router, its grant of the switch, and one of a
    // virtual channel for each packet; four bytes a flit over a millimetre of each channel.
    const double at_routers = (1 + 2 + 4 + 8) * (8 * 4 + 2 * 2 + 2 * 1) + 8 * (4 + 2 + 1);
    const double on_wires = 16 * 4 * (8 * 3 + 2 * 1);
    CHECK(result["energy"]["total_pj"] == Approx(at_routers + on_wires));
    CHECK(result["energy"]["time_ns"] == result["time_ns"]);
    for (const char* const picture : {"heat.svg", "energy.svg"})
        CHECK_THAT(content_of(folder / picture), Contains("<svg"));
    CHECK(json::parse(content_of(folder / "timeline.json")).contains("traceEvents"));
    CHECK(std::ranges::count(content_of(folder / "log.csv"), '\n') == 1 + 3);
    CHECK_THAT(text_of(all), Contains("Use of the channels") && Contains("Energy"));
    // The run is the same without all that.
    json without = nocturne_json(with(plain, {"--json"}));
    for (const char* const key : {"channels", "energy", "flows", "histogram", "made_by"}) {
        result.erase(key);
        without.erase(key);
    }
    CHECK(result == without);
}

TEST_CASE("traffic and traces write how many flits were in each buffer", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const Arguments occupancy{"--occupancy", folder / "buffers.csv"};
    const json point = point_of(nocturne_json(quick(with(occupancy, {"--vcs", "2", "--json"}))));
    CHECK(point["buffers"].size() == 2 * (24 + 9));
    CHECK(point["buffers"][0]["buffer_flits"] == 8);
    const std::string rows = content_of(folder / "buffers.csv");
    CHECK_THAT(rows, StartsWith("router,channel,vc,buffer_flits,mean_flits,maximum_flits,flits"));
    CHECK(std::ranges::count(rows, '\n') == 1 + 2 * (24 + 9));
    const std::string trace =
        folder.file("t.csv", "cycle,source,destination,bytes,after\n0,00,12,32,\n5,00,01,8,\n");
    const json result =
        nocturne_json(with(with({"traffic", "mesh:3x3", "--trace", trace}, occupancy), {"--json"}));
    CHECK(result["buffers"].size() == 24 + 9);
}

TEST_CASE("programs of ranks have them too", "[cli][traffic]")
{
    const std::string model = GENERATE("flit", "worm");
    const TemporaryFolder folder;
    const std::string goal = folder.file("a.goal", "num_ranks 2\nrank 0 {\na: calc 1000\ns: send 32b to 1\n"
                                                   "s requires a\n}\nrank 1 {\nr: recv 32b from 0\n}\n");
    const json result =
        nocturne_json({"traffic", "mesh:1x2", "--trace", goal, "--model", model, "--energy",
                       PROJECT_FOLDER "/examples/energy/router_45nm.json", "--batches", "10", "--timeline",
                       folder / "timeline.json", "--heat", folder / "heat.svg", "--json"});
    CHECK(result["channels"][0]["flits"] == 8);
    CHECK(result["channels"][0]["utilisation"][0] == 0); // it computes
    CHECK(result["channels"][0]["utilisation"][9] > 0);
    CHECK(result["energy"]["total_pj"] > 0);
    CHECK_THAT(content_of(folder / "timeline.json"), Contains("rank 0 cpu 0") && Contains("00->01"));
}

TEST_CASE("a trace out of order is sorted, which is said", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const std::string header = "cycle,source,destination,bytes,after\n";
    const std::string sorted = folder.file("a.csv", header + "0,00,01,8,\n40,00,02,8,\n");
    const std::string other = folder.file("b.csv", header + "40,00,02,8,\n0,00,01,8,\n");
    const json in_order = nocturne_json({"traffic", "mesh:3x3", "--trace", sorted, "--json"});
    const json turned = nocturne_json({"traffic", "mesh:3x3", "--trace", other, "--json"});
    CHECK(turned["time_cycles"] == in_order["time_cycles"]);
    CHECK_FALSE(in_order["made_by"].contains("remarks"));
    CHECK_THAT(turned["made_by"]["remarks"][0].get<std::string>(), Contains("they are sorted"));
}

} // namespace nocturne::traffic_packets_test
