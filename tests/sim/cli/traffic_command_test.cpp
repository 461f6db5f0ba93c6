// traffic as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace nocturne::traffic_command_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

json only_point(const json& document)
{
    REQUIRE(document["curves"].size() == 1);
    REQUIRE(document["curves"][0]["points"].size() == 1);
    return document["curves"][0]["points"][0];
}

const Arguments quick{"--warm-up", "500", "--window", "3000", "--drain", "3000"};

} // namespace

TEST_CASE("traffic measures one point", "[cli][traffic]")
{
    const json document = nocturne_json(with({"traffic", "--topology", "mesh:4x4", "--pattern", "uniform",
                                              "--load", "0.1", "--packet-flits", "8", "--vcs", "1", "--json"},
                                             quick));
    const json point = only_point(document);
    CHECK(point["average_packet_latency_cycles"] > 20);
    CHECK(point["average_packet_latency_cycles"] < 40);
    CHECK(point["p99_packet_latency_cycles"] > point["average_packet_latency_cycles"]);
    CHECK(point["accepted_flit_rate"].get<double>() == Approx(0.1).epsilon(0.1));
    CHECK(point["saturated"] == false);
    CHECK(document["curves"][0]["pattern"] == "uniform");
    // What the result can be traced by.
    CHECK(document["made_by"]["options"]["seed"] == 1);
    CHECK(document["made_by"]["options"]["vcs"] == "1");
    CHECK(document["made_by"]["options"]["buffer-flits"] == 8);
    CHECK(document["made_by"]["version"].is_string());
    CHECK_THAT(document["made_by"]["command"].get<std::string>(),
               StartsWith("nocturne traffic --topology mesh:4x4 --pattern uniform --load 0.1"));
}

TEST_CASE("curves of one command have the same number of virtual channels, and it is said everywhere",
          "[cli][traffic]")
{
    const TemporaryFolder folder;
    const Arguments command =
        with({"traffic", "mesh:4x4", "--routing", "xy", "--routing", "adaptive", "--load", "0.05", "--svg",
              folder / "curves.svg", "--csv", folder / "curves.csv"},
             quick);
    CHECK_THAT(text_of(command), Contains("vcs 2"));
    CHECK_THAT(content_of(folder / "curves.csv"),
               Contains(",vcs,") && Contains("xy,xy,,uniform,bernoulli,8,2,1,"));
    CHECK_THAT(content_of(folder / "curves.svg"), Contains("2 VCs"));
    const json document = nocturne_json(with(command, {"--json"}));
    REQUIRE(document["curves"].size() == 2);
    for (const json& curve : document["curves"])
        CHECK(curve["vcs"] == 2);
    const Arguments loop =
        with({"traffic", "--topology", "mesh:4x4", "--topology", "torus:4x4", "--closed-loop", "2", "--json"},
             {"--warm-up", "500", "--window", "3000"});
    const json answered = nocturne_json(loop);
    REQUIRE(answered["closed_loop"].size() == 2);
    for (const json& result : answered["closed_loop"])
        CHECK(result["vcs"] == 4); // two for requests, two for replies
}

TEST_CASE("traffic has one shape of JSON, whatever is asked", "[cli][traffic]")
{
    const Arguments arguments = with({"traffic", "mesh:2x2", "--json"}, quick);
    for (const Arguments& more : {Arguments{"--load", "0.1"}, Arguments{"--load", "0.1,0.2"},
                                  Arguments{"--saturation", "--tolerance", "1"}, Arguments{"--runs", "2"}}) {
        const json document = nocturne_json(with(arguments, more));
        CHECK(document.size() == 5);
        CHECK(document["result"] == "traffic");
        CHECK(document["energy"].is_null());
        CHECK(document["made_by"].is_object());
        REQUIRE(document["curves"].is_array());
        for (const json& curve : document["curves"])
            CHECK(curve["points"].is_array());
    }
}

TEST_CASE("traffic takes several seeds, and gives their mean", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const Arguments arguments = with({"traffic", "mesh:4x4", "--load", "0.05,0.1", "--seed", "5"}, quick);
    const json several = nocturne_json(with(arguments, {"--runs", "3", "--json"}));
    REQUIRE(several["curves"].size() == 3);
    CHECK(several["curves"][0] == nocturne_json(with(arguments, {"--json"}))["curves"][0]);
    for (int run = 0; run < 3; ++run)
        CHECK(several["curves"][run]["seed"] == 5 + run);
    CHECK(several["curves"][0]["points"] != several["curves"][1]["points"]);
    REQUIRE(several["means"].size() == 2);
    for (int load = 0; load < 2; ++load) {
        double sum = 0;
        for (const json& curve : several["curves"])
            sum += curve["points"][load]["average_packet_latency_cycles"].get<double>();
        CHECK(several["means"][load]["steady_runs"] == 3);
        CHECK(several["means"][load]["average_packet_latency_cycles"].get<double>() == Approx(sum / 3));
    }
    CHECK(nocturne_json(with(arguments, {"--json"}))["means"].empty());
    const std::string out =
        run_nocturne(with(arguments, {"--runs", "3", "--csv", folder / "points.csv"})).out;
    CHECK_THAT(out, Contains("steady") && Contains("runs") && Contains("routing auto on mesh:4x4: dor\n"));
    const std::string loop = run_nocturne({"traffic", "mesh:4x4", "--closed-loop", "1", "--routing",
                                           "valiant", "--warm-up", "50", "--window", "100"})
                                 .out;
    CHECK_THAT(loop, Contains("routing valiant on mesh:4x4: valiant:dor\n"));
    CHECK_THAT(
        content_of(folder / "points.csv"),
        StartsWith(
            "model,topology,routing,routing_taken,selection,pattern,arrivals,packet_flits,vcs,seed,") &&
            Contains("nocturne traffic mesh:4x4 --load"));
}

TEST_CASE("traffic says that a point is saturated, and gives it no latency", "[cli][traffic]")
{
    const Arguments arguments = with({"traffic", "mesh:4x4", "--load", "0.9"}, quick);
    const json point = only_point(nocturne_json(with(arguments, {"--json"})));
    CHECK(point["saturated"] == true);
    CHECK(point["average_packet_latency_cycles"].is_null());
    CHECK(point["p99_packet_latency_cycles"].is_null());
    CHECK(point["accepted_flit_rate"] < 0.8);
    CHECK_THAT(run_nocturne(arguments).out, Contains("saturated"));
}

TEST_CASE("traffic draws curves over a range of loads, and goes on where it was", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const Arguments arguments =
        with({"traffic", "mesh:4x4", "--topology", "omega:16", "--load", "0.05:0.05:0.15", "--csv",
              folder / "curves.csv", "--svg", folder / "curves.svg", "--checkpoint", folder / "points.json",
              "--json"},
             quick);
    const json first = nocturne_json(arguments);
    REQUIRE(first["curves"].size() == 2);
    CHECK(first["curves"][0]["points"].size() == 3);
    CHECK(first["curves"][0]["points"][2]["load"] == 0.15);
    CHECK_THAT(content_of(folder / "curves.csv"),
               Contains("topology,routing,routing_taken,selection,pattern"));
    CHECK_THAT(content_of(folder / "curves.svg"), Contains("</svg>"));
    // All points are in the file: the same comes out whoever measures.
    CHECK(std::filesystem::exists(folder / "points.json"));
    CHECK(nocturne_json(with(arguments, {"--workers", "1"}))["curves"] == first["curves"]);
    std::filesystem::remove(folder / "points.json");
    CHECK(nocturne_json(with(arguments, {"--workers", "4"}))["curves"] == first["curves"]);
}

TEST_CASE("traffic shows the use of channels over time", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const Arguments arguments = with({"traffic", "mesh:3x3", "--load", "0.2", "--channel-use"}, quick);
    const json point = only_point(nocturne_json(with(arguments, {"--json", "--heat", folder / "heat.svg"})));
    REQUIRE(point["channels"].size() == 24 + 9 + 9);
    CHECK(std::any_of(point["channels"].begin(), point["channels"].end(),
                      [](const json& channel) { return channel["channel"] == "00->01"; }));
    CHECK(point["channels"][0]["utilisation"].size() == 20);
    CHECK_THAT(content_of(folder / "heat.svg"), Contains("</svg>") && Contains("00->01"));
    CHECK_THAT(run_nocturne(arguments).out, Contains("Use of the channels") && Contains("maximum"));
}

TEST_CASE("traffic searches saturation", "[cli][traffic]")
{
    const Arguments arguments = with({"traffic", "mesh:4x4", "--saturation", "--tolerance", "0.05"}, quick);
    const json curve = nocturne_json(with(arguments, {"--json"}))["curves"][0];
    CHECK(curve["highest_steady_load"] > 0.2);
    CHECK(curve["lowest_saturated_load"] < 0.9);
    CHECK_THAT(run_nocturne(arguments).out, Contains("mesh:4x4, auto, uniform: steady at load 0."));
}

TEST_CASE("traffic runs requests and replies", "[cli][traffic]")
{
    const Arguments loop{"traffic", "mesh:4x4",  "--closed-loop", "1,8",      "--packet-flits",
                         "2",       "--warm-up", "500",           "--window", "3000"};
    const json document = nocturne_json(with(loop, {"--json"}));
    REQUIRE(document["closed_loop"].size() == 2);
    CHECK(document["made_by"]["options"]["seed"] == 1);
    CHECK(document["closed_loop"][1]["outstanding"] == 8);
    CHECK(document["closed_loop"][1]["answered_rate"] > document["closed_loop"][0]["answered_rate"]);
    CHECK_THAT(run_nocturne(loop).out, Contains("round") && Contains("trip"));
    const Arguments shared{"--closed-loop", "64", "--packet-flits",    "8",
                           "--reply-queue", "1",  "--message-classes", "1"};
    const Outcome outcome = run_nocturne(with({"traffic", "mesh:4x4"}, shared));
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.out, Contains("protocol deadlock"));
    const json worm = nocturne_json(with(loop, {"--json", "--model", "worm"}));
    CHECK(document["closed_loop"][0]["model"] == "flit");
    CHECK(worm["closed_loop"][0]["model"] == "worm");
    CHECK(worm["closed_loop"][0]["average_round_trip_cycles"].get<double>() ==
          Approx(document["closed_loop"][0]["average_round_trip_cycles"].get<double>()).epsilon(0.05));
}

TEST_CASE("traffic replays a trace", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const std::string file =
        folder.file("trace.csv", "cycle,source,destination,bytes,after\n0,00,33,64,\n5,33,00,4,0\n");
    const json result = nocturne_json({"traffic", "mesh:4x4", "--trace", file, "--json"});
    CHECK(result["messages"] == 2);
    CHECK(result["made_by"]["options"]["seed"] == 1);
    // 7 routers, 16 flits; five cycles later 7 routers, one flit.
    CHECK(result["time_cycles"] == (5 * 7 + 2 + 15) + 5 + (5 * 7 + 2));
    CHECK_THAT(run_nocturne({"traffic", "mesh:4x4", "--trace", file}).out, Contains("messages"));
}

TEST_CASE("traffic tells a deadlock", "[cli][traffic]")
{
    const json point = only_point(
        nocturne_json(with({"traffic", "torus:4x4", "--routing", "dor", "--load", "1", "--json"}, quick), 1));
    CHECK(point["saturated"] == true);
    CHECK_THAT(point["stall"]["reason"].get<std::string>(), Contains("deadlock"));
}

TEST_CASE("blocked cycles and waits for credits are in the results of every kind of traffic",
          "[cli][traffic]")
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("trace.csv", "cycle,source,destination,bytes,after\n0,0,1,256,\n");
    // A link of 20 cycles and buffers of 8 flits: a long packet waits for credits, and for nothing else.
    const Arguments slow{"--link-cycles", "20", "--json"};
    const json alone = nocturne_json(with({"traffic", "ring:3", "--trace", trace}, slow));
    CHECK(alone["credit_wait_cycles"] > 0);
    CHECK(alone["credit_wait_cycles"] == alone["blocked_cycles"]);
    const json wide =
        nocturne_json(with(with({"traffic", "ring:3", "--trace", trace}, slow), {"--buffer-flits", "0"}));
    CHECK(wide["blocked_cycles"] == 0);
    const Arguments common = with(with({"traffic", "mesh:3x3", "--packet-flits", "32"}, slow), quick);
    const json point = nocturne_json(with(common, {"--load", "0.1"}))["curves"][0]["points"][0];
    CHECK(point["credit_wait_cycles"] > 0);
    CHECK(point["credit_wait_cycles"] <= point["blocked_cycles"]);
    const json loop = nocturne_json(
        {"traffic", "mesh:3x3", "--closed-loop", "1", "--json", "--warm-up", "100", "--window", "1000"});
    CHECK(loop["closed_loop"][0]["credit_wait_cycles"] <= loop["closed_loop"][0]["blocked_cycles"]);
    CHECK(loop["closed_loop"][0]["blocked_cycles"] > 0);
    const std::string table = folder / "points.csv";
    nocturne_json(with(common, {"--load", "0.1", "--csv", table}));
    CHECK_THAT(content_of(table), Contains(",blocked_cycles,credit_wait_cycles,"));
}

TEST_CASE("what a run's results hang on is said before it", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const std::string detour = folder / "detour.anynet";
    std::ofstream(detour) << "router 0 node 0 router 1 1 router 2 50\n"
                             "router 1 node 1 router 0 1 router 2 1\n"
                             "router 2 node 2 router 1 1 router 0 50\n";
    const auto notes_of = [&](const Arguments& arguments) {
        const std::string printed = run_nocturne(with(arguments, quick)).err;
        std::string notes;
        const json document = nocturne_json(with(with(arguments, {"--json"}), quick));
        for (const json& note : document["made_by"].value("remarks", json::array())) {
            CHECK_THAT(printed, Contains("nocturne: " + note.get<std::string>()));
            notes += note.get<std::string>() + "\n";
        }
        return notes;
    };
    CHECK_THAT(notes_of({"traffic", "ring:5", "--routing", "shortest", "--load", "0.01"}),
               StartsWith("ring:5, routing shortest: can deadlock: "));
    CHECK(notes_of({"traffic", "ring:5", "--routing", "shortest+layers", "--load", "0.01"}).empty());
    CHECK(notes_of({"traffic", "mesh:3x3", "--routing", "xy", "--load", "0.01"}).empty());
    const std::string of_detour = notes_of({"traffic", detour, "--load", "0.01"});
    CHECK_THAT(of_detour, Contains("paths of least latency (a router 4 cycles, a link 1 a unit of latency)"));
    CHECK_THAT(of_detour, Contains("buffers lack up to 98 flits"));
    const std::string by_hops =
        notes_of({"traffic", detour, "--load", "0.01", "--routing", "shortest_hops", "--buffer-flits", "0"});
    CHECK_THAT(by_hops, Contains("routing shortest_hops: paths of fewest hops"));
    CHECK_THAT(by_hops, !Contains("buffers"));
}

TEST_CASE("a table has lines of 100 characters, with --wide one line a row", "[cli][traffic]")
{
    const std::vector<std::string> arguments{"traffic", "mesh:4x4", "--load", "0.1,0.2", "--window", "500"};
    const auto lines_of = [](const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
            lines.push_back(line);
        return lines;
    };
    const auto rows_of = [&](const std::vector<std::string>& lines) {
        return std::ranges::count_if(lines,
                                     [](const std::string& line) { return line.find("0.1000 ") < 20; });
    };
    const std::vector<std::string> narrow = lines_of(run_nocturne(arguments).out);
    for (const std::string& line : narrow)
        CHECK(line.size() <= 100);
    CHECK(rows_of(narrow) == 2);
    std::vector<std::string> with_wide = arguments;
    with_wide.push_back("--wide");
    const std::vector<std::string> wide = lines_of(run_nocturne(with_wide).out);
    CHECK(rows_of(wide) == 1);
    CHECK(std::ranges::any_of(wide, [](const std::string& line) { return line.size() > 100; }));
}

} // namespace nocturne::traffic_command_test
