// What the subcommands do when all is well, and what they say when a check fails.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>

namespace nocturne::commands_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");
const std::string omega = library("omega8_aab.json");
const std::string fat_tree = library("fat_tree8_aas.json");

} // namespace

TEST_CASE("help tells what there is, on standard output", "[cli]")
{
    CHECK_THAT(text_of({"--help"}), Contains("topology") && Contains("validate") && Contains("replay") &&
                                        Contains("compare") && Contains("Exit status"));
    CHECK_THAT(text_of({"--version"}), StartsWith("nocturne "));
    for (const char* command : {"topology", "validate", "replay", "compare"}) {
        const std::string help = text_of({command, "--help"});
        for (const char* option : {"--help", "--config", "--seed", "--json"})
            CHECK_THAT(help, Contains(option));
        CHECK_THAT(help, StartsWith(std::string("usage: nocturne ") + command));
        CHECK(text_of({"help", command}) == help);
    }
}

TEST_CASE("without a command the help goes to standard error", "[cli]")
{
    const Outcome outcome = run_nocturne({});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == text_of({"--help"}));
}

TEST_CASE("topology tells a network's numbers", "[cli][topology]")
{
    const json facts = nocturne_json({"topology", "mesh:4x4", "--json"});
    CHECK(facts["topology"] == "mesh:4x4");
    CHECK(facts["processors"] == 16);
    CHECK(facts["channels"] == 48);
    CHECK(facts["maximum_hops"] == 6);
    CHECK(facts["average_hops"].get<double>() == Approx(8.0 / 3));
    CHECK_THAT(text_of({"topology", "omega:8"}), Contains("routers") && Contains("12"));
    CHECK_THAT(text_of({"topology", "--list"}), Contains("omega:N") && Contains("hoffman_singleton"));
    CHECK(nocturne_json({"topology", "--list", "--json"})["networks"].size() > 10);
}

TEST_CASE("topology says whether a routing can deadlock, and how", "[cli][topology]")
{
    const json bad = nocturne_json({"topology", "ring:8", "--routing", "shortest", "--json"}, 1);
    CHECK(bad["deadlock_free"] == false);
    CHECK_THAT(bad["cycle"].get<std::string>(), Contains("->") && Contains("(vc 0)"));
    const json good = nocturne_json({"topology", "ring:8", "--routing", "shortest+datelines", "--json"});
    CHECK(good["deadlock_free"] == true);
    CHECK(good["vc_classes"] == 2);
    CHECK(good["cycle"].is_null());
}

TEST_CASE("topology checks the routings for traffic", "[cli][topology]")
{
    const auto classes = [](const char* network, const char* routing) {
        const json facts = nocturne_json({"topology", network, "--routing", routing, "--json"});
        CHECK(facts["deadlock_free"] == true);
        return facts["vc_classes"].get<unsigned>();
    };
    CHECK(classes("mesh:4x4", "yx") == 1);
    CHECK(classes("mesh:4x4", "adaptive") == 2);
    CHECK(classes("mesh:4x4", "valiant") == 2);
    CHECK(classes("torus:4x4", "valiant:dor+datelines") == 4);
    CHECK(classes("clos:3,4,3", "tag_random") == 1);
    CHECK_THAT(text_of({"topology", "--help"}), Contains("valiant") && Contains("adaptive"));
}

TEST_CASE("topology writes every format, to standard output and to a file alike", "[cli][topology]")
{
    const TemporaryFolder folder;
    for (const auto& [format, begin] : std::vector<std::pair<std::string, std::string>>{
             {"json", "{"}, {"graphml", "<?xml"}, {"dot", "digraph"}, {"svg", "<?xml"}, {"pdf", "%PDF"}}) {
        INFO(format);
        const std::string file = folder / ("net." + format);
        const std::string text = text_of({"topology", "octagon:8", "--format", format});
        CHECK_THAT(text, StartsWith(begin));
        CHECK(text_of({"topology", "octagon:8", "-o", file}).empty()); // the name tells the format
        if (format != "pdf") // which has the time of its making in it
            CHECK(content_of(file) == text);
        if (format == "json" || format == "graphml" || format == "dot")
            CHECK(nocturne_json({"topology", file, "--json"})["channels"] == 24);
    }
    CHECK(nocturne_json(
              {"topology", "ring:3", "-o", folder / "x", "--format", "dot", "--json"})["channels"] == 6);
    CHECK_THAT(content_of(folder / "x"), StartsWith("digraph"));
}

TEST_CASE("replay measures the printed schedules", "[cli][replay]")
{
    const auto [file, steps, hop_ns] =
        GENERATE_COPY(table<std::string, unsigned, double>({{octagon, 4u, 32}, {omega, 7u, 20}}));
    const json result = replay_json({"replay", file, "--json"});
    CHECK(result["valid"] == true);
    CHECK(result["steps"] == steps);
    CHECK(result["time_ns"] == steps * (1000 + 512 + hop_ns));
    CHECK(result["model_time_ns"] == steps * (1000 + 512.0));
    CHECK(result["hop_overhead_ns"] == steps * hop_ns);
    CHECK(result["blocked_cycles"] == 0);
    CHECK(result["memory_ok"] == true);
    CHECK(result["step_times_ns"] == std::vector<double>(steps, 1512 + hop_ns));
}

TEST_CASE("replay of several sizes has all of them, and the fit", "[cli][replay]")
{
    const json result = nocturne_json({"replay", fat_tree, "--bytes", "64:1024:4", "--json"});
    REQUIRE(result["replays"].size() == 3);
    CHECK(result["replays"][1]["message_bytes"] == 256);
    CHECK(result["replays"][2]["message_bytes"] == 1024);
    CHECK(result["fit"]["t0_ns"].get<double>() == Approx(1000).epsilon(0.001));
    CHECK(result["fit"]["t1_ns_per_byte"].get<double>() == Approx(0.5).epsilon(0.001));
    CHECK_THAT(text_of({"replay", fat_tree, "--bytes", "64,256"}), Contains("Least-squares fit"));
}

TEST_CASE("replay goes by the options of the hardware and the mode", "[cli][replay]")
{
    const json slow =
        replay_json({"replay", octagon, "--json", "--t0-ns", "500", "--cycle-ns", "4", "--flit-bytes", "8",
                     "--router-stages", "0,1,0,0", "--mode", "self-timed"});
    CHECK(slow["mode"] == "self-timed");
    CHECK(slow["model_time_ns"] == 4 * (500 + 1024 * 0.5));
    CHECK(slow["hop_overhead_ns"] == 4 * 4 * (3 * 2 + 2 - 1));
    CHECK(slow["memory_ok"] == true);
}

TEST_CASE("replay says where blocked cycles come from", "[cli][replay]")
{
    CHECK_THAT(text_of({"replay", octagon, "--link-cycles", "20"}),
               Contains("blocked cycles are waits for credits; buffers lack up to 38 flits"));
    CHECK_THAT(text_of({"replay", octagon, "--link-cycles", "20", "--buffer-flits", "0"}),
               !Contains("waits for credits"));
    const json result = replay_json({"replay", octagon, "--json", "--link-cycles", "20"});
    CHECK(result["credit_wait_cycles"] == result["blocked_cycles"]);
    CHECK(result["missing_buffer_flits"] == 38);
}

TEST_CASE("a byte-order mark before any file of text changes nothing", "[cli][files]")
{
    const TemporaryFolder folder;
    const std::string chunks = folder / "chunks.json", xml = folder / "chunks.xml";
    const std::string algorithm = folder / "algorithm.json", bound = folder / "bound.json";
    for (const Arguments& command : {Arguments{"schedule", "ring:4", "--collective", "allgather",
                                               "--objective", "bandwidth", "-o", chunks},
                                     {"export", chunks, "--msccl-xml", xml, "--msccl-json", algorithm},
                                     {"bound", "ring:4", "--collective", "AAS", "-o", bound}})
        REQUIRE(run_nocturne(command).status == 0);
    const auto example = [](const char* name) {
        return content_of(PROJECT_FOLDER "/examples/" + std::string(name));
    };
    struct Reader {
        std::string file, content;
        Arguments before, after = {}; ///< of the file's name
    };
    const Arguments quick{"--load", "0.05", "--warm-up", "50", "--window", "200"};
    std::vector<Reader> readers{
        {"schedule.json", content_of(octagon), {"validate"}},
        {"chunks.json", content_of(chunks), {"validate"}},
        {"program.xml", content_of(xml), {"validate"}, {"--topology", "ring:4"}},
        {"tools.json", content_of(algorithm), {"validate"}},
        {"bound.json", content_of(bound), {"certify"}},
        {"trace.csv", "cycle,source,destination,bytes,after\n0,0,1,4,\n", {"traffic", "ring:4", "--trace"}},
        {"options.ini", "bytes = 64\n", {"replay", octagon, "--config"}},
        {"sweep.ini", "command = bound\n[sweep]\ntopology = ring:4\n", {"sweep", "--list"}},
        {"sweep.json", R"({"command":"bound","sweep":[{"topology":"ring:4"}]})", {"sweep", "--list"}},
        {"places.txt", "0 0 0\n1 10 0\n2 20 5\n", {"topology", "ring:3", "--measure", "--positions"}},
        {"energy.json", example("energy/router_45nm.json"), {"replay", octagon, "--energy"}}};
    for (const char* const name : {"bridge.anynet", "bridge.dot", "bridge.graphml", "bridge.json"})
        readers.push_back({name, example((std::string("networks/") + name).c_str()), {"topology"}});
    for (const auto& [kind, content] :
         {std::pair{"matrix:", "0 1 1\n1 0 1\n1 1 0\n"}, std::pair{"permutation:", "1\n2\n0\n"}})
        readers.push_back({kind, content, {"traffic", "ring:3", "--pattern"}, quick});
    for (const Reader& reader : readers) {
        INFO(reader.file);
        const bool is_pattern = reader.file.ends_with(':');
        const std::string name = is_pattern ? "numbers.txt" : reader.file;
        const auto run = [&](const std::string& content) {
            Arguments arguments = reader.before;
            arguments.push_back((is_pattern ? reader.file : "") + folder.file(name, content));
            arguments.insert(arguments.end(), reader.after.begin(), reader.after.end());
            return run_nocturne(arguments);
        };
        const Outcome plain = run(reader.content);
        const Outcome marked = run("\xef\xbb\xbf" + reader.content);
        CHECK(plain.status == 0);
        CHECK(marked.status == 0);
        CHECK(marked.out == plain.out);
        CHECK(marked.err == plain.err);
    }
}

TEST_CASE("replay says before a run what its results hang on", "[cli][replay]")
{
    const json result = nocturne_json({"replay", octagon, "--json", "--link-cycles", "20", "--background",
                                       "0.01", "--background-routing", "shortest"});
    const json& remarks = result["made_by"]["remarks"];
    REQUIRE(remarks.size() == 2);
    CHECK_THAT(remarks[0].get<std::string>(), Contains("routing shortest: can deadlock: "));
    CHECK_THAT(remarks[1].get<std::string>(), Contains("buffers lack up to 38 flits"));
    CHECK_THAT(run_nocturne({"replay", octagon, "--link-cycles", "20"}).err,
               StartsWith("nocturne: ") && Contains("buffers lack up to 38 flits") &&
                   Contains("--buffer-flits 0"));
}

TEST_CASE("replay writes what it is asked for, and nothing else", "[cli][replay]")
{
    const TemporaryFolder folder;
    const std::string text =
        text_of({"replay", octagon, "--csv", folder / "table.csv", "--svg", folder / "gantt.svg", "--vcd",
                 folder / "wires.vcd", "--hex", folder / "images", "--step-times", "--channel-use"});
    CHECK_THAT(text, Contains("Steps of") && Contains("Use of the channels"));
    CHECK(folder.names() == std::vector<std::string>{"gantt.svg", "images", "table.csv", "wires.vcd"});
    CHECK_THAT(content_of(folder / "table.csv"), StartsWith("schedule,"));
    CHECK_THAT(content_of(folder / "gantt.svg"), Contains("<svg"));
    CHECK_THAT(content_of(folder / "wires.vcd"), Contains("$enddefinitions"));
    for (unsigned id = 0; id < 8; ++id)
        CHECK_THAT(content_of(folder / "images/memory_" + std::to_string(id) + ".hex"),
                   StartsWith("@00000000\n"));
}

TEST_CASE("message sizes have units", "[cli][replay]")
{
    const auto sizes = [](const char* text) {
        std::vector<std::uint64_t> bytes;
        const json result = nocturne_json({"replay", octagon, "--bytes", text, "--json"});
        for (const json& replay : result["replays"])
            bytes.push_back(replay["message_bytes"]);
        return bytes;
    };
    CHECK(sizes("64B,1K,4KiB") == std::vector<std::uint64_t>{64, 1024, 4096});
    CHECK(sizes("1KiB:16K:4") == std::vector<std::uint64_t>{1024, 4096, 16384});
    CHECK(nocturne_json({"recover", octagon, "--bytes", "2KiB", "--fault", "link:0-1", "--at-step", "2",
                         "--json"})["message_bytes"] == 2048);
}

TEST_CASE("options that had other names are still understood, in files too, and not listed", "[cli]")
{
    const TemporaryFolder folder;
    const std::string old_names = folder.file("old.ini", "steps = true\n");
    CHECK_THAT(text_of({"replay", octagon, "--gantt=" + (folder / "a.svg"), "--channels"}),
               Contains("Use of the channels"));
    CHECK_THAT(text_of({"replay", octagon, "--config", old_names}), Contains("Steps of"));
    CHECK(nocturne_json({"topology", "--network", "ring:4", "--json"})["routers"] == 4);
    CHECK(folder.names() == std::vector<std::string>{"a.svg", "old.ini"});
    CHECK_THAT(text_of({"replay", "--help"}), !Contains("--gantt") && !Contains("--steps"));
}

TEST_CASE("collectives are known by the names of libraries, and spelled out", "[cli]")
{
    for (const auto& [name, kind] :
         std::vector<std::pair<std::string, std::string>>{{"broadcast", "broadcast"},
                                                          {"all-gather", "allgather"},
                                                          {"AAB", "allgather"},
                                                          {"OAS", "scatter"},
                                                          {"all-to-all", "alltoall"},
                                                          {"AllToAll", "alltoall"},
                                                          {"AOG", "gather"},
                                                          {"reduce", "reduce"},
                                                          {"one-to-all broadcast", "broadcast"}})
        CHECK(nocturne_json({"schedule", "ring:4", "--collective", name, "--json"})["collective"] == kind);
    CHECK_THAT(text_of({"bound", "ring:4", "--collective", "AAB"}),
               StartsWith("allgather (AAB, all-to-all broadcast) on ring:4"));
    CHECK(says(text_of({"validate", octagon}), "collective", "alltoall"));
    CHECK_THAT(text_of({"schedule", "--help"}), Contains("many-to-many"));
}

TEST_CASE("the American neighbor is the same pattern", "[cli][traffic]")
{
    const auto latency = [](const char* pattern) {
        return nocturne_json({"traffic", "mesh:3x3", "--pattern", pattern, "--window", "500", "--warm-up",
                              "100", "--json"})["mean_latency_cycles"];
    };
    CHECK(latency("neighbor") == latency("neighbour"));
    CHECK(run_nocturne({"benes", "16", "--permutations", "neighbor", "--samples", "2"}).status == 0);
}

TEST_CASE("files of results say what made them, so that they can be made again", "[cli]")
{
    const TemporaryFolder folder;
    const auto made_by = [&](const std::string& file) {
        return json::parse(content_of(folder / file))["made_by"];
    };
    const std::string schedule = folder / "it's.json";
    CHECK(run_nocturne({"schedule", "ring:4", "--collective", "AAB", "--seed", "7", "-o", schedule}).status ==
          0);
    const json origin = made_by("it's.json");
    CHECK(origin["version"] ==
          run_nocturne({"--version"}).out.substr(9, origin["version"].get<std::string>().size()));
    CHECK(origin["command"] ==
          "nocturne schedule ring:4 --collective AAB --seed 7 -o '" + (folder / "it'\\''s.json") + "'");
    CHECK(origin["options"]["seed"] == 7);
    CHECK(origin["options"]["budget"] == 60); // the default, which another version may change
    CHECK_FALSE(origin["options"].contains("json"));
    CHECK(run_nocturne({"validate", schedule}).status == 0);
    CHECK(run_nocturne({"certify", schedule}).status == 0);

    CHECK(run_nocturne({"bound", "ring:4", "--collective", "AAB", "-o", folder / "bound.json"}).status == 0);
    CHECK_THAT(made_by("bound.json")["command"].get<std::string>(), StartsWith("nocturne bound ring:4"));
    const std::string config = folder.file("run.ini", "t0-ns = 500\n");
    CHECK(
        run_nocturne({"compare", octagon, "--bytes", "64,128", "--config", config, "-o", folder / "results"})
            .status == 0);
    CHECK(made_by("results/comparison.json")["options"]["t0-ns"] == 500);
    CHECK(run_nocturne({"replay", octagon, "--csv", folder / "replay.csv"}).status == 0);
    CHECK(run_nocturne({"benes", "16", "--samples", "2", "--csv", folder / "benes.csv"}).status == 0);
    for (const char* table : {"results/comparison.csv", "replay.csv", "benes.csv"})
        CHECK_THAT(content_of(folder / table), Contains(",version,command\n") && Contains("nocturne "));
}

TEST_CASE("replay and compare run beside background traffic", "[cli][background]")
{
    const json alone = replay_json({"replay", octagon, "--bytes", "1024", "--json"});
    const json none = replay_json({"replay", octagon, "--bytes", "1024", "--background", "0", "--json"});
    const json beside = replay_json({"replay", octagon, "--bytes", "1024", "--background", "0.2",
                                     "--background-pattern", "neighbour", "--json"});
    CHECK(none["time_ns"] == alone["time_ns"]);
    CHECK(beside["time_ns"] > alone["time_ns"]);
    CHECK(beside["memory_ok"] == true);
    const Arguments compare{"compare", octagon,     "--bytes", "64,1024", "--traffic",
                            "shifted", "--routing", "auto",    "--json"};
    Arguments with_background = compare;
    with_background.insert(with_background.end(), {"--background", "0.2"});
    const json quiet = nocturne_json(compare);
    const json busy = nocturne_json(with_background);
    CHECK(busy["made_by"]["options"]["background"] == 0.2);
    REQUIRE(busy["runs"].size() == quiet["runs"].size());
    for (std::size_t run = busy["runs"].size() / 2; run < busy["runs"].size(); ++run) // of the larger size
        CHECK(busy["runs"][run]["time_ns"] > quiet["runs"][run]["time_ns"]);
    const TemporaryFolder folder;
    const auto picture_of = [&](Arguments command, const std::string& place) {
        command.insert(command.end(), {"-o", folder / place});
        nocturne_json(command);
        return content_of(folder / (place + "/occupancy.svg"));
    };
    CHECK(picture_of(compare, "quiet") != picture_of(with_background, "busy"));
}

TEST_CASE("a configuration file has options, the command line wins", "[cli][config]")
{
    const TemporaryFolder folder;
    const std::string config =
        folder.file("run.ini", "# what we always want\nbytes = 64\njson = true\nt0-ns=500\n"
                               "schedule = " +
                                   octagon + "\n");
    CHECK(replay_json({"replay", "--config", config})["message_bytes"] == 64);
    CHECK(replay_json({"replay", "--config", config})["model_time_ns"] == 4 * (500 + 32));
    CHECK(replay_json({"replay", "--config", config, "--bytes", "128"})["message_bytes"] == 128);
    CHECK(replay_json({"replay", omega, "--config", config})["steps"] == 7);
    // Of what may be given several times, too.
    const std::string several = folder.file(
        "several.ini", "topology = mesh:2x2\npattern = transpose\npattern = uniform\nwindow = 100\n");
    const auto curves = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"traffic", "--config", several, "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return nocturne_json(arguments)["curves"];
    };
    CHECK(curves({}).size() == 2);
    REQUIRE(curves({"ring:4", "--pattern", "complement"}).size() == 1);
    CHECK(curves({"ring:4", "--pattern", "complement"})[0]["topology"] == "ring:4");
}

TEST_CASE("with --topology a schedule must be for that network", "[cli]")
{
    CHECK(run_nocturne({"validate", octagon, "--topology", "octagon:8"}).status == 0);
    const TemporaryFolder folder;
    CHECK(run_nocturne({"topology", "octagon:8", "-o", folder / "net.json"}).status == 0);
    CHECK(run_nocturne({"validate", octagon, "--topology", folder / "net.json"}).status == 0);
}

} // namespace nocturne::commands_test
