// --model as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>
#include <map>
#include <sstream>

namespace nocturne::model_option_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string schedule_file = library("octagon8_aas.json");

} // namespace

TEST_CASE("replay takes the same time at both levels, and says at which it was", "[cli][model]")
{
    const Arguments arguments{"replay", schedule_file, "--bytes", "64,1KiB", "--json"};
    Arguments worm_arguments = arguments;
    worm_arguments.insert(worm_arguments.end(), {"--model", "worm"});
    const json flit = nocturne_json(arguments);
    const json worm = nocturne_json(worm_arguments);
    for (std::size_t i = 0; i < 2; ++i) {
        const json& one = flit["replays"].at(i);
        const json& other = worm["replays"].at(i);
        CHECK(one["model"] == "flit");
        CHECK(other["model"] == "worm");
        CHECK(other["time_ns"] == one["time_ns"]);
        CHECK(other["step_times_ns"] == one["step_times_ns"]);
        CHECK(other["memory_ok"] == true);
    }
    CHECK(worm["fit"] == flit["fit"]);
}

TEST_CASE("waits are those of flits at the flit level and those of heads at the message level",
          "[cli][model]")
{
    const TemporaryFolder folder;
    const std::string chunks = folder / "chunks.json";
    REQUIRE(run_nocturne(
                {"schedule", "ring:4", "--collective", "allreduce", "--objective", "bandwidth", "-o", chunks})
                .status == 0);
    const std::string trace = folder.file("trace.csv", "cycle,source,destination,bytes,after\n1,0,2,16,\n");
    const std::string network =
        folder.file("narrow.json", R"({"format": "nocturne-topology", "version": 1, "name": "narrow",
            "default_ports": "all", "routers": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
            "processors": [{"name": "a", "injection": 0, "ejection": 0},
                           {"name": "c", "injection": 2, "ejection": 2}],
            "channels": [{"source": 0, "target": 1, "width_bytes": 4},
                         {"source": 1, "target": 2, "width_bytes": 1}, {"source": 2, "target": 0}]})");
    const std::string narrow =
        folder.file("schedule.json", R"({"format": "nocturne-schedule", "version": 1, "name": "x",
            "topology": "narrow.json", "collective": {"kind": "MNS", "senders": ["a"], "receivers": ["c"]},
            "ports": "all", "switching": "wormhole",
            "steps": [[{"from": "a", "to": "c", "path": ["a", "b", "c"]}]]})");
    const Arguments short_run{"--warm-up", "50", "--window", "400", "--packet-flits", "1"};
    const std::vector<std::pair<Arguments, std::string>> runs{
        {{"replay", narrow, "--bytes", "400"}, "/replays/0"},
        {{"replay", chunks, "--bytes", "4KiB"}, "/replays/0"},
        {{"compare", schedule_file, "--bytes", "64,128"}, "/runs/0"},
        {{"traffic", "ring:4", "--trace", trace}, ""},
        {with({"traffic", "mesh:4x4", "--load", "0.1"}, short_run), "/curves/0/points/0"},
        {with({"traffic", "mesh:4x4", "--closed-loop", "2"}, short_run), "/closed_loop/0"}};
    for (const auto& [arguments, place] : runs)
        for (const bool is_flit : {true, false}) {
            CAPTURE(arguments, is_flit);
            const json result =
                nocturne_json(with(arguments, {"--model", is_flit ? "flit" : "worm", "--json"}))
                    .at(json::json_pointer(place));
            REQUIRE(result.contains("blocked_cycles"));
            REQUIRE(result.contains("head_wait_cycles"));
            CHECK(result["blocked_cycles"].is_null() == !is_flit);
            CHECK(result["head_wait_cycles"].is_null() == is_flit);
            if (result.contains("credit_wait_cycles"))
                CHECK(result["credit_wait_cycles"].is_null() == !is_flit);
        }
}

TEST_CASE("compare runs everything at the level that is asked for", "[cli][model]")
{
    const json worm = nocturne_json({"compare", schedule_file, "--bytes", "64,1KiB", "--model", "worm",
                                     "--traffic", "shifted", "--json"});
    for (const json& run : worm["runs"])
        CHECK(run["model"] == "worm");
    CHECK(worm["fit"]["t0_ns"].get<double>() == Approx(1000).epsilon(0.001));
}

TEST_CASE("traffic runs at the message level, with the same packets", "[cli][model]")
{
    const Arguments arguments{"traffic",  "mesh:4x4", "--packet-flits", "16",   "--warm-up", "500",
                              "--window", "3000",     "--drain",        "3000", "--json"};
    Arguments worm_arguments = arguments;
    worm_arguments.insert(worm_arguments.end(), {"--model", "worm"});
    const json flit = nocturne_json(arguments)["curves"][0];
    const json worm = nocturne_json(worm_arguments)["curves"][0];
    CHECK(worm["model"] == "worm");
    CHECK(worm["points"][0]["packets"] == flit["points"][0]["packets"]);
    CHECK(worm["points"][0]["average_packet_latency_cycles"].get<double>() ==
          Approx(flit["points"][0]["average_packet_latency_cycles"].get<double>()).epsilon(0.05));
}

TEST_CASE("recover of a schedule is the same at both levels, as text and as JSON", "[cli][model][recover]")
{
    const Arguments arguments{"recover", library("octagon8_aas.json"), "--fault", "link:0-1", "--at-step",
                              "2"};
    Arguments worm_arguments = arguments;
    worm_arguments.insert(worm_arguments.end(), {"--model", "worm"});
    const Outcome text = run_nocturne(worm_arguments);
    CHECK(text.status == 0);
    CHECK(says(text.out, "located", "channel 0->1, channel 1->0"));
    CHECK(says(text.out, "messages delivered", "56"));
    json flit = nocturne_json([&] {
        Arguments more = arguments;
        more.emplace_back("--json");
        return more;
    }());
    json worm = nocturne_json([&] {
        Arguments more = worm_arguments;
        more.emplace_back("--json");
        return more;
    }());
    CHECK(flit["model"] == "flit");
    CHECK(worm["model"] == "worm");
    for (json* const result : {&flit, &worm})
        for (const char* const key : {"model", "search_seconds", "made_by"})
            result->erase(key);
    CHECK(worm == flit);
}

namespace {

/// What the page says of a feature, by its command.
struct Feature {
    std::string command;
    std::string at_level; ///< `yes` or `refused`
};

/// Of the table in docs/models.md, in the column of a level.
std::vector<Feature> documented_features(const std::string& level)
{
    const std::string page = content_of(PROJECT_FOLDER "/docs/models.md");
    std::istringstream lines(page.substr(page.find("| of a run |")));
    std::vector<Feature> features;
    for (std::string line; std::getline(lines, line) && line.starts_with("|");) {
        const std::size_t command = line.find('`');
        if (command == std::string::npos)
            continue;
        std::istringstream cells(line.substr(line.find('`', command + 1) + 1));
        std::string bar, flit, worm;
        cells >> bar >> flit >> bar >> worm;
        features.push_back({line.substr(command + 1, line.find('`', command + 1) - command - 1),
                            level == "flit" ? flit : worm});
    }
    return features;
}

std::string chunks_on_ring(const TemporaryFolder& folder)
{
    const std::string file = folder / "chunks.json";
    REQUIRE(
        run_nocturne({"schedule", "ring:4", "--collective", "allreduce", "--objective", "time", "-o", file})
            .status == 0);
    return file;
}

/// Each command of the table in full, on a small example.
std::map<std::string, Arguments> commands_of_features(const TemporaryFolder& folder)
{
    const std::string trace = folder.file("trace.csv", "cycle,source,destination,bytes,after\n0,#0,#3,64,\n");
    const std::string energies = PROJECT_FOLDER "/examples/energy/router_45nm.json";
    const auto traffic = [](const Arguments& more) {
        Arguments arguments{"traffic", "mesh:3x3", "--warm-up", "100", "--window", "500", "--drain", "500"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    return {
        {"traffic", traffic({})},
        {"traffic --saturation", traffic({"--saturation", "--tolerance", "0.5"})},
        {"traffic --heat", traffic({"--heat", folder / "a.svg"})},
        {"traffic --energy", traffic({"--energy", energies})},
        {"traffic --packet-log", traffic({"--packet-log", folder / "log.csv"})},
        {"traffic --occupancy", traffic({"--occupancy", folder / "buffers.csv"})},
        {"traffic --pattern multicast:2", traffic({"--pattern", "multicast:2"})},
        {"traffic --flows", traffic({"--flows", folder / "flows.csv", "--histogram", folder / "h.csv"})},
        {"traffic --warm-up-rule mser-5", traffic({"--warm-up-rule", "mser-5"})},
        {"traffic --class", traffic({"--class", "a,load=0.05", "--class", "b,load=0.02"})},
        {"traffic --arbiter priority",
         traffic({"--arbiter", "priority", "--class", "a,load=0.05", "--class", "b,load=0.02,priority=1"})},
        {"traffic --load rates",
         {"traffic", "mesh:3x4", "--pattern", "application:" PROJECT_FOLDER "/examples/traffic/mwd.csv",
          "--load", "rates", "--warm-up", "100", "--window", "500"}},
        {"traffic --fault", traffic({"--fault", "link:11-12", "--fault-cycle", "300"})},
        {"traffic --trace", {"traffic", "mesh:2x2", "--trace", trace}},
        {"traffic --timeline", {"traffic", "mesh:2x2", "--trace", trace, "--timeline", folder / "t.json"}},
        {"traffic --closed-loop",
         {"traffic", "mesh:3x3", "--closed-loop", "2", "--warm-up", "100", "--window", "500"}},
        {"traffic --routing adaptive", traffic({"--routing", "adaptive"})},
        {"replay", {"replay", schedule_file}},
        {"replay --element", {"replay", chunks_on_ring(folder), "--element", "int32", "--bytes", "1KiB"}},
        {"replay --energy", {"replay", schedule_file, "--energy", energies}},
        {"replay --background", {"replay", schedule_file, "--background", "0.1"}},
        {"replay --svg", {"replay", schedule_file, "--svg", folder / "a.svg"}},
        {"replay --timeline", {"replay", schedule_file, "--timeline", folder / "a.json"}},
        {"replay --vcd", {"replay", schedule_file, "--vcd", folder / "a.vcd"}},
        {"replay --payload digest", {"replay", schedule_file, "--payload", "digest"}},
        {"replay --payload held", {"replay", schedule_file, "--payload", "held"}},
        {"compare", {"compare", schedule_file, "--bytes", "64,128", "--traffic", "shifted"}},
        {"compare --background",
         {"compare", schedule_file, "--bytes", "64,128", "--traffic", "shifted", "--background", "0.1"}},
        {"recover", {"recover", schedule_file, "--fault", "link:0-1", "--at-step", "2"}},
        {"recover --unscheduled",
         {"recover", "--unscheduled", "mesh:3x3", "--collective", "AAS", "--fault", "link:11-12", "--at-ns",
          "3500"}}};
}

} // namespace

TEST_CASE("each level has, or refuses in one line, what the documentation says", "[cli][model]")
{
    const std::string level = GENERATE("flit", "worm");
    const TemporaryFolder folder;
    const std::map<std::string, Arguments> commands = commands_of_features(folder);
    const std::vector<Feature> features = documented_features(level);
    CHECK(features.size() == commands.size());
    for (const Feature& feature : features) {
        CAPTURE(level, feature.command);
        Arguments arguments = commands.at(feature.command);
        arguments.insert(arguments.end(), {"--model", level});
        const Outcome outcome = run_nocturne(arguments);
        CAPTURE(outcome.err);
        if (feature.at_level == "yes") {
            CHECK(outcome.status == 0);
            continue;
        }
        CHECK(feature.at_level == "refused");
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, Contains("model flit"));
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    }
}

TEST_CASE("a trace is replayed at both levels, each naming itself", "[cli][model]")
{
    const TemporaryFolder folder;
    const std::string trace =
        folder.file("trace.csv", "cycle,source,destination,bytes,after\n0,#0,#3,64,\n5,#3,#1,128,0\n");
    const json flit = nocturne_json({"traffic", "mesh:2x2", "--trace", trace, "--json"});
    const json worm = nocturne_json({"traffic", "mesh:2x2", "--trace", trace, "--model", "worm", "--json"});
    CHECK(flit["model"] == "flit");
    CHECK(worm["model"] == "worm");
    CHECK(worm.at("time_cycles") == flit.at("time_cycles")); // the messages do not meet
    CHECK(worm.at("flit_hops") == flit.at("flit_hops"));
}

} // namespace nocturne::model_option_test
