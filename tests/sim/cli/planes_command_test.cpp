// A chip of two networks by file alone: Wormhole's, from the examples, and a smaller one of its kind.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <fmt/format.h>

#include <sstream>

namespace nocturne::planes_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string routing = "planes:xy+datelines,yx+datelines";

/// Three rows and four columns.
std::string small_chip(const TemporaryFolder& folder, const std::string& name)
{
    std::string text = content_of(PROJECT_FOLDER "/examples/networks/" + name);
    for (std::size_t at = 0; (at = text.find("12x10")) != text.npos;)
        text.replace(at, 5, "3x4");
    return folder.file(name, text);
}

/// Latencies of the packets of a log, in the order of its lines; its last but one column.
std::vector<std::string> latencies_in(const std::string& log)
{
    std::istringstream lines(log);
    std::vector<std::string> latencies;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        line.erase(line.rfind(','));
        latencies.push_back(line.substr(line.rfind(',') + 1));
    }
    return latencies;
}

} // namespace

TEST_CASE("Wormhole's networks are routed without deadlock", "[cli][planes]")
{
    const json chip = nocturne_json(
        {"topology", PROJECT_FOLDER "/examples/networks/wormhole.json", "--routing", routing, "--json"});
    CHECK(chip["processors"] == 240);
    CHECK(chip["routers"] == 360);
    CHECK(chip["channels"] == 2 * 240 + 240);
    CHECK(chip["vc_classes"] == 2);
    CHECK(chip["deadlock_free"] == true);
    CHECK(run_nocturne(
              {"topology", PROJECT_FOLDER "/examples/networks/wormhole.json", "--routing", "planes:xy,yx"})
              .status == 1);
}

TEST_CASE("without other traffic a packet takes 9 cycles from router to router", "[cli][planes]")
{
    // And 12 into the network and out of it.
    const TemporaryFolder folder;
    const std::string chip = small_chip(folder, "wormhole.json");
    const std::string trace = folder.file("trace.csv", "cycle,source,destination,bytes,after\n"
                                                       "0,#0,#6,32,\n" // network 0: 2 to the right, 1 down
                                                       "1000,#12,#18,32,\n" // network 1: 2 up, 2 to the left
                                                       "2000,#0,#0,32,\n"   // to its own tile
                                                       "3000,#15,#14,64,\n"); // two flits, 1 to the left
    for (const char* const model : {"flit", "worm"}) {
        const std::string log = folder / "log.csv";
        const Outcome outcome =
            run_nocturne({"traffic", chip, "--routing", routing, "--trace", trace, "--flit-bytes", "32",
                          "--cycle-ns", "1", "--model", model, "--packet-log", log});
        CHECK(outcome.status == 0);
        INFO(outcome.err);
        CHECK(latencies_in(content_of(log)) == std::vector<std::string>{"39", "48", "12", "22"});
    }
}

TEST_CASE("both levels agree on Wormhole's networks under traffic", "[cli][planes]")
{
    const auto latencies = [](const std::string& model) {
        const json result = nocturne_json({"traffic", PROJECT_FOLDER "/examples/networks/wormhole.json",
                                           "--routing", routing, "--flit-bytes", "32", "--load",
                                           "0.01:0.02:0.03", "--window", "1000", "--model", model, "--json"});
        std::vector<double> of;
        for (const json& point : result["curves"][0]["points"])
            of.push_back(point["average_packet_latency_cycles"]);
        return of;
    };
    const std::vector<double> flit = latencies("flit"), worm = latencies("worm");
    REQUIRE(flit.size() == 2);
    CHECK(flit[0] > 9 * 10 + 12);
    CHECK(flit[1] > flit[0]);
    CHECK(worm[0] == Approx(flit[0]).epsilon(0.01));
    CHECK(worm[1] == Approx(flit[1]).epsilon(0.02));
}

TEST_CASE("a broadcast over both networks of Wormhole takes as few steps as can be", "[cli][planes]")
{
    const json found =
        nocturne_json({"schedule", PROJECT_FOLDER "/examples/networks/wormhole_shared.json", "--collective",
                       "OAB", "--source", "tile/0,0", "--budget", "20", "--json"});
    CHECK(found["steps"] == 5);
    CHECK(found["optimal"] == true);
}

TEST_CASE("each network carries its own traffic", "[cli][planes]")
{
    const TemporaryFolder folder;
    const std::string chip = small_chip(folder, "wormhole.json");
    const auto classes_at = [&](const std::string& load, const std::string& model) {
        return nocturne_json({"traffic", chip, "--routing", routing, "--flit-bytes", "32", "--class",
                              "first,load=" + load + ",senders=noc0/*", "--class",
                              "second,load=0.02,senders=noc1/*", "--model", model, "--window", "4000",
                              "--json"})["curves"][0]["points"][0]["classes"];
    };
    for (const char* const model : {"flit", "worm"}) {
        const json low = classes_at("0.02", model), high = classes_at("0.12", model);
        INFO(model << low.dump() << high.dump());
        const auto latency = [](const json& of) { return of["average_packet_latency_cycles"].get<double>(); };
        CHECK(latency(low[0]) == Approx(latency(low[1])).epsilon(0.05));
        CHECK(latency(high[0]) > 1.2 * latency(low[0]));
        CHECK(latency(high[1]) == Approx(latency(low[1])).epsilon(0.05)); // only the tiles are shared
    }
}

TEST_CASE("transfers of tt-npe take the network that they name", "[cli][planes]")
{
    const TemporaryFolder folder;
    const std::string chip = small_chip(folder, "wormhole.json");
    const std::string workload = folder.file("w.json", R"({"phases": [{"transfers": [
        {"packet_size": 32, "num_packets": 1, "src_x": 1, "src_y": 1, "dst_x": 2, "dst_y": 1,
         "phase_cycle_offset": 0, "noc_type": "NOC_0"},
        {"packet_size": 32, "num_packets": 1, "src_x": 1, "src_y": 1, "dst_x": 2, "dst_y": 1,
         "phase_cycle_offset": 0, "noc_type": "NOC_1"}]}]})");
    const std::string log = folder / "log.csv";
    const Outcome outcome = run_nocturne({"traffic", chip, "--routing", routing, "--trace", workload,
                                          "--flit-bytes", "32", "--packet-log", log});
    CHECK(outcome.status == 0);
    CHECK_THAT(content_of(log), Contains("noc0/11,noc0/12,") && Contains("noc1/11,noc1/12,"));
    CHECK(latencies_in(content_of(log)) == std::vector<std::string>{"21", "39"});
}

TEST_CASE("a collective uses both networks where their interface is shared", "[cli][planes]")
{
    const TemporaryFolder folder;
    const std::string chip = small_chip(folder, "wormhole_shared.json");
    // Twelve processors hear eleven messages each, two at once.
    const json bound = nocturne_json({"bound", chip, "--collective", "AAB", "--json"});
    CHECK(bound["lower_bound"] == 6);
    const std::string schedule = folder / "aab.json";
    CHECK(run_nocturne({"schedule", chip, "--collective", "AAB", "--budget", "5", "-o", schedule}).status ==
          0);
    const json validated = nocturne_json({"validate", schedule, "--json"});
    CHECK(validated["valid"] == true);
    CHECK(validated["steps"] == 6);
    CHECK(run_nocturne({"replay", schedule, "--bytes", "64"}).status == 0);
}

TEST_CASE("energies of routers that only end planes are remarked", "[cli][planes]")
{
    const TemporaryFolder folder;
    const auto notes = [&](const std::string& network) {
        return run_nocturne({"traffic", network, "--load", "0.01", "--warm-up", "10", "--window", "100",
                             "--energy", PROJECT_FOLDER "/examples/energy/router_45nm.json"})
            .err;
    };
    CHECK_THAT(notes(small_chip(folder, "wormhole.json")),
               Contains("energy: 12 routers that only join planes to their tiles (tile_in/00, ...)"));
    CHECK_THAT(notes("mesh:2x2"), !Contains("energy"));
}

} // namespace nocturne::planes_command_test
