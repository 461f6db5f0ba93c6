// Bad use and bad input: one line that says what and where, exit status 2, and nothing written.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nocturne::bad_input_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");

struct Refused {
    Arguments arguments;
    std::vector<std::string> parts; ///< of the line on stderr
};

void check_all_refused(const std::vector<Refused>& list)
{
    for (const Refused& each : list)
        check_refused(each.arguments, each.parts);
}

} // namespace

TEST_CASE("unknown commands, options and names are refused", "[cli][bad input]")
{
    check_all_refused({
        {{"simulate"}, {"unknown command 'simulate'", "nocturne --help"}},
        {{"--json"}, {"unknown command '--json'"}},
        {{"replay"}, {"replay: schedule is missing"}},
        {{"topology"}, {"topology: topology is missing"}},
        {{"replay", octagon, octagon}, {"too many positional options"}},
        {{"replay", octagon, "--bogus"}, {"--bogus"}},
        {{"replay", octagon, "--byte", "64"}, {"--byte"}}, // abbreviations too
        {{"replay", octagon, "--bytes"}, {"--bytes"}},
        {{"replay", octagon, "--bytes", "64", "--bytes", "128"}, {"--bytes", "more than once"}},
        {{"replay", octagon, "--mode", "fast"}, {"'fast'", "barrier, self-timed"}},
        {{"compare", octagon, "--traffic", "shifted,zigzag"}, {"'zigzag'", "in-order, shifted, random"}},
        {{"compare", octagon, "--traffic", "binomial", "--bytes", "4,8"},
         {"--traffic binomial: alltoall (AAS, all-to-all scatter) is no broadcast"}},
        {{"compare", octagon, "--routing", "magic"}, {"'magic'", "dor"}},
        {{"topology", "moebius:8"}, {"moebius:8", "unknown network", "torus", "others"}},
        {{"topology", ""}, {"--topology: the value is empty"}},
        {{"topology", "mesh:4x4", "--routing", "tag"}, {"mesh:4x4"}},
        {{"topology", "mesh:4x4", "--format", "gif"}, {"--format gif", "svg"}},
        {{"topology", "mesh:4x4", "--format", "svg", "--json"}, {"--format", "--output"}},
        {{"topology", "mesh:4x4", "--output", "network"}, {"--output network", "--format"}},
        {{"topology", "mesh:4x4", "-o", "x.xyz"}, {"--output x.xyz", "svg"}},
    });
    const TemporaryFolder folder; // nothing is written before everything is known to be right
    check_refused({"topology", "mesh:4x4", "-o", folder / "mesh.svg", "--routing", "tag"}, {"tag"});
    check_refused({"schedule", "ring:5", "--collective", "AAB", "--checkpoint", folder / "checkpoint.json",
                   "-o", folder / std::string(250, 'x')},
                  {"File name too long"});
    check_refused({"replay", octagon, "--csv", folder / "x", "--svg", folder / "./x"}, {"--csv and --svg"});
    check_refused({"replay", octagon, "--vcd", folder / "x", "--hex", folder / "x"}, {"--vcd and --hex"});
    CHECK(folder.names().empty());
}

TEST_CASE("a line about what is very long is not as long", "[cli][bad input]")
{
    const TemporaryFolder folder;
    const std::string text(100'000, 'x');
    for (const std::string& content : {text, text + "=3", "budget=" + text}) {
        const Outcome outcome = run_nocturne({"schedule", "mesh:4x4", "--collective", "AAS", "--config",
                                              folder.file("options.ini", content + "\n")});
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, StartsWith("nocturne: ") && Contains("options.ini"));
        CHECK(outcome.err.size() < 700);
    }
}

TEST_CASE("near misses are told what was probably meant, and unknown options where the help is",
          "[cli][bad input]")
{
    check_all_refused({
        {{"scheduel", "mesh:4x4"},
         {"unknown command 'scheduel'", "did you mean 'schedule'?", "nocturne --help"}},
        {{"replay", octagon, "--byte", "64"},
         {"'--byte'", "did you mean '--bytes'?", "nocturne replay --help"}},
        {{"replay", octagon, "--colour"}, {"unrecognised option '--colour'; see 'nocturne replay --help'"}},
        {{"recover", octagon, "--at", "1"}, {"'--at': did you mean --at-step or --at-ns?"}},
        {{"topology", "mesh:4x4", "--svg", "x.svg"}, {"'--svg': the help of", "--output says 'svg'"}},
        {{"design", "8", "--degree", "3"}, {"'--degree': the help of --links says 'degree'"}},
        {{"traffic", "mesh:4x4", "--fault", "00--01"}, {"did you mean link:00-01?"}},
        {{"traffic", "mesh:4x4", "--fault", "00->01"}, {"did you mean channel:00-01?"}},
        {{"traffic", "mesh:4x4", "--fault", "00-01"}, {"did you mean link:00-01?"}},
        {{"traffic", "mesh:4x4", "--fault", "00"}, {"did you mean node:00?"}},
        {{"traffic", "mesh:4x4", "--part", "link 00-01: latency=2"}, {"did you mean '00--01'?"}},
        {{"topology", "mash:4x4"}, {"mash:4x4", "did you mean 'mesh'?"}},
        {{"topology", "mesh:4x4", "--routing", "adaptve"}, {"did you mean 'adaptive'?"}},
        {{"topology", "mesh:4x4", "--routing", "dor+dateline"}, {"did you mean 'datelines'?"}},
        {{"topology", "mesh:4x4", "--format", "sgv"}, {"--format sgv", "did you mean 'svg'?"}},
        {{"traffic", "mesh:4x4", "--pattern", "transpos"}, {"did you mean 'transpose'?"}},
        {{"traffic", "mesh:4x4", "--pattern", "hotsopt:3,0.1"}, {"did you mean 'hotspot'?"}},
        {{"bound", "mesh:4x4", "--collective", "all-gahter"}, {"did you mean 'allgather'?"}},
        {{"bound", "mesh:4x4", "--collective", "OAX"}, {"did you mean 'OAB'?"}},
        {{"schedule", "mesh:4x4", "--collective", "OAB", "--engine", "exat"}, {"did you mean 'exact'?"}},
        {{"evolve", "mesh:4x4", "--collective", "OAB", "--engine", "udma"}, {"did you mean 'umda'?"}},
        {{"compare", octagon, "--traffic", "shiftd"}, {"did you mean 'shifted'?"}},
        {{"man", "schedul"}, {"did you mean 'schedule'?"}},
        {{"completion", "fish"}, {"completion", "bash"}},
    });
}

TEST_CASE("an empty value is refused, not taken for the default", "[cli][bad input]")
{
    const TemporaryFolder folder;
    check_all_refused({
        {{"replay", octagon, "--svg", ""}, {"--svg: the value is empty"}},
        {{"replay", ""}, {"--schedule: the value is empty"}},
        {{"bound", "mesh:4x4", "--collective", "AAS", "--ports", ""}, {"--ports: the value is empty"}},
        {{"bound", "mesh:4x4", "--collective", "OAB", "--source", ""}, {"--source: the value is empty"}},
        {{"topology", "mesh:4x4", "-o", ""}, {"--output: the value is empty"}},
        {{"replay", octagon, "--config", folder.file("run.ini", "svg =\n")},
         {"run.ini", "--svg: the value is empty"}},
    });
}

TEST_CASE("errors name the file, not the name inside it", "[cli][bad input]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("mine.dot", "digraph { name=\"inner\"; a -> b }");
    for (const Arguments& arguments : std::vector<Arguments>{{"topology", file},
                                                             {"topology", "--topology=" + file},
                                                             {"topology", file, "--routing", "dor"},
                                                             {"bound", file, "--collective", "AAS"},
                                                             {"traffic", file, "--routing", "tag"}}) {
        check_refused(arguments, {file + ": "});
        CHECK_THAT(run_nocturne(arguments).err, !StartsWith("nocturne: inner"));
    }
}

TEST_CASE("a long unknown name is not echoed whole", "[cli][bad input]")
{
    const std::string name(50'000, 'x');
    for (const Arguments& arguments :
         std::vector<Arguments>{{name},
                                {"replay", octagon, "--" + name},
                                {"topology", name},
                                {"topology", "mesh:" + name},
                                {"topology", "mesh:4x4", "--routing", name},
                                {"topology", "mesh:4x4", "--format", name},
                                {"replay", octagon, "--bytes", name},
                                {"traffic", "mesh:4x4", "--pattern", name},
                                {"bound", "mesh:4x4", "--collective", name},
                                {"schedule", "ring:4", "--collective", "OAB", "--engine", name}})
        CHECK(run_nocturne(arguments).err.size() < 400);
}

TEST_CASE("sizes that are huge, negative or no numbers are refused", "[cli][bad input]")
{
    std::vector<Refused> list{
        {{"topology", "mesh:1000000x1000000"}, {"mesh:1000000x1000000", "more than"}},
        {{"topology", "mesh:99999999999999999999x2"}, {"mesh:99999999999999999999x2"}},
        {{"topology", "mesh:-1x4"}, {"'-1' is not a size"}},
        {{"topology", "hypercube:64"}, {"hypercube:64"}},
        {{"topology", "omega:0"}, {"omega:0"}},
        {{"topology", "ring:4", "--seed", "-1"}, {"--seed -1: expected a whole number"}},
        {{"topology", "ring:4", "--workers", "1e9"}, {"--workers 1e9: expected 0 to 1024"}},
        {{"replay", octagon, "--workers", "100000"}, {"--workers 100000: expected 0 to 1024"}},
        {{"replay", octagon, "--vcs", "-1"}, {"--vcs -1"}},
        {{"compare", octagon, "--vcs", "1"}, {"--vcs 1: the routing needs 2"}},
        {{"replay", octagon, "--vcs", "0"}, {"vcs = 0", "from 1 to 32"}},
        {{"replay", octagon, "--vcs", "99999999999999999999"}, {"--vcs 99999999999999999999"}},
        {{"replay", octagon, "--flit-bytes", "0"}, {"flit_bytes = 0"}},
        {{"replay", octagon, "--flit-bytes", "-4"}, {"--flit-bytes -4: expected"}},
        {{"replay", octagon, "--link-cycles", "99999999999"}, {"--link-cycles 99999999999"}},
        {{"replay", octagon, "--cycle-ns", "nan"}, {"--cycle-ns nan: expected more than 0"}},
        {{"replay", octagon, "--cycle-ns", "1e999"}, {"--cycle-ns", "1e999"}},
        {{"replay", octagon, "--t0-ns", "-1"}, {"--t0-ns -1: expected a number from 0 on"}},
        {{"replay", octagon, "--t0-ns", "inf"}, {"--t0-ns inf: expected a number from 0 on"}},
        {{"replay", octagon, "--router-stages", "1,1,1"}, {"--router-stages 1,1,1", "RC,VA,SA,ST"}},
        {{"replay", octagon, "--router-stages", "1,0,1,1"}, {"vc_allocation = 0"}},
        {{"replay", octagon, "--crossbar-stages", "1,1,1,-1"}, {"--crossbar-stages 1,1,1,-1"}},
        {{"replay", octagon, "--max-slack", "x"}, {"--max-slack x: expected 0 to 64"}},
        {{"replay", octagon, "--bytes", "1073741824"}, {"1073741824 bytes", "4 GiB"}},
        {{"compare", octagon, "--bytes", "64"}, {"--bytes 64", "at least two sizes"}},
        {{"compare", octagon, "--bytes", "64,64"}, {"--bytes 64,64", "at least two sizes"}},
    };
    for (const char* sizes :
         {"-1",         "0",   "abc", "",  "64,", "64,,128", "1:", "8:4", "1:2:1",
          "1:2:3:4",    "6.5", "4kB", "K", "1T",  "4Ki",     "2G", "1e3", "99999999999999999999",
          "2000000000", "64 ", "0x40"})
        list.push_back({{"replay", octagon, "--bytes=" + std::string(sizes)}, {"bytes"}});
    check_all_refused(list);
}

TEST_CASE("files that are missing, no files, empty or garbage are refused by name", "[cli][bad input]")
{
    const TemporaryFolder folder;
    std::string noise;
    for (unsigned i = 0; i < 3000; ++i)
        noise += static_cast<char>((i * i * 2654435761u) >> 13);
    const std::string missing = folder / "missing.json";
    const std::string empty = folder.file("empty.json", "");
    const std::string garbage = folder.file("garbage.json", noise);
    const std::string deep = folder.file("deep.json", std::string(200'000, '['));
    const std::string half = folder.file("half.json", content_of(octagon).substr(0, 700));
    const std::string escape = folder.file("escape.json", "{\"\x1b[2J\x1b]0;title\x07\": 1}");
    for (const char* command : {"validate", "replay", "compare"})
        check_all_refused({
            {{command, missing}, {missing, "No such file or directory"}},
            {{command, folder / "empty.json/x.json"}, {"Not a directory"}},
            {{command, folder / ""}, {"Is a directory"}},
            {{command, empty}, {empty, "this is empty; a schedule "}},
            {{command, garbage}, {garbage, "this is nothing that is known here; a schedule "}},
            {{command, deep}, {deep}},
            {{command, half}, {half + ":19:"}},
            {{command, escape}, {escape}},
        });
    check_all_refused({
        {{"topology", missing}, {missing, "No such file or directory"}},
        {{"topology", empty}, {empty, "line 1"}},
        {{"topology", garbage}, {garbage, "line 1"}},
        {{"topology", deep}, {deep}},
        {{"topology", octagon}, {octagon}}, // a schedule is no network
        {{"topology", folder.file("net.dot", "digraph {")}, {"net.dot"}},
        {{"topology", folder.file("net.graphml", "<graphml>")}, {"net.graphml"}},
        {{"topology", folder.file("net.anynet", "router zero node 0\n")}, {"net.anynet"}},
    });
    CHECK(run_nocturne({"validate", escape}).err.find('\x1b') == std::string::npos);
    CHECK(run_nocturne({"validate", garbage}).err.find('\x1b') == std::string::npos);
}

TEST_CASE("schedules that break the schema or are for another network are refused with the place",
          "[cli][bad input]")
{
    const TemporaryFolder folder;
    const auto refuse = [&](auto change, const std::vector<std::string>& parts) {
        json schedule = json::parse(content_of(octagon));
        change(schedule);
        const std::string file = folder.file("changed.json", schedule.dump(1));
        std::vector<std::string> all = parts;
        all.push_back(file);
        check_refused({"replay", file}, all);
    };
    refuse([](json& s) { s.erase("steps"); }, {"'steps' missing"});
    refuse([](json& s) { s["steps"] = 4; }, {"/steps"});
    refuse([](json& s) { s["version"] = 3; }, {"/version"});
    refuse([](json& s) { s["colour"] = "red"; }, {"/colour"});
    refuse([](json& s) { s["ports"] = "many"; }, {"/ports"});
    refuse([](json& s) { s["collective"]["kind"] = "XYZ"; }, {"/collective", "'XYZ'"});
    refuse([](json& s) { s["collective"]["processors"] = 9; }, {"/collective/processors", "9"});
    refuse([](json& s) { s["collective"]["processors"] = -8; }, {"/collective/processors"});
    refuse([](json& s) { s["steps"][1][2]["to"] = "99"; }, {"/steps/1/2/to", "99"});
    refuse([](json& s) { s["steps"][1][2]["path"][1] = "nowhere"; }, {"/steps/1/2/path/1", "nowhere"});
    refuse([](json& s) { s["topology"] = "octagon:12"; }, {"/collective/processors", "octagon:12 has 12"});
    refuse([](json& s) { s["topology"] = "moebius:8"; }, {"moebius:8"});
    json schedule = json::parse(content_of(octagon));
    schedule["topology"] = "no/such/net.json"; // beside the schedule
    check_refused({"replay", folder.file("changed.json", schedule.dump())},
                  {folder / "no/such/net.json: cannot read"});
}

TEST_CASE("a schedule with paths of another network is invalid on this one", "[cli][bad input]")
{
    const TemporaryFolder folder;
    json schedule = json::parse(content_of(octagon));
    schedule["topology"] = "ring:8"; // without the links across
    const std::string file = folder.file("changed.json", schedule.dump(1));
    for (const std::string command : {"validate", "replay", "compare"}) {
        const Outcome outcome = run_nocturne({command, file});
        CHECK(outcome.status == 1);
        CHECK_THAT(outcome.out, Contains("unknown-channel") && Contains("step 1, transfer 1 (0>3)"));
        CHECK(outcome.err.empty());
    }
    check_refused({"replay", octagon, "--topology", "ring:8"}, {"for octagon:8, not for ring:8"});
}

TEST_CASE("configuration files are refused by name and option", "[cli][bad input][config]")
{
    const TemporaryFolder folder;
    const auto refuse = [&](const std::string& text, const std::string& part) {
        const std::string file = folder.file("run.ini", text);
        check_refused({"replay", octagon, "--config", file}, {file, part});
    };
    refuse("bogus = 1\n", "'bogus'");
    refuse("seed = -5\n", "--seed -5: expected a whole number");
    refuse("cycle-ns = fast\n", "--cycle-ns fast: expected more than 0");
    refuse("bytes 64\n", "'bytes 64'");
    refuse("[replay]\nbytes = 64\n", "'replay.bytes'");
    refuse("bytes = 64\nbytes = 128\n", "more than once");
    refuse("json = perhaps\n", "'perhaps'");
    refuse("help = 1\n", "'help'");
    refuse("config = other.ini\n", "'config'");
    refuse(std::string("\x01\x02\xff\n\x00garbage\n", 12), "invalid line");
    // No comment, but a part of the value.
    check_refused({"replay", octagon, "--config", folder.file("run.ini", "topology = octagon:8#9\n")},
                  {"octagon:8#9: '8#9' is not a size"});
    check_refused({"replay", octagon, "--config", folder / "missing.ini"}, {"missing.ini", "No such file"});
    check_refused({"replay", octagon, "--config", folder / ""}, {"Is a directory"});
}

TEST_CASE("places that cannot be written are told before anything is run or written",
          "[cli][bad input][output]")
{
    const TemporaryFolder folder;
    const std::string taken = folder.file("taken", "a file");
    std::filesystem::create_directory(folder / "folder");
    const auto before = folder.names();
    const std::string no_folder = folder / "no/such/file";
    const std::string below_file = folder / "taken/file";
    for (const char* option : {"--csv", "--svg", "--vcd"})
        check_all_refused({
            {{"replay", octagon, option, no_folder}, {no_folder, "No such file or directory"}},
            {{"replay", octagon, option, below_file}, {below_file, "Not a directory"}},
            {{"replay", octagon, option, folder / "folder"}, {"folder: cannot write: Is a directory"}},
        });
    check_all_refused({
        {{"replay", octagon, "--hex", below_file}, {below_file, "Not a directory"}},
        {{"replay", octagon, "--hex", taken}, {taken, "Not a directory"}},
        {{"compare", octagon, "--output", below_file}, {below_file, "Not a directory"}},
        {{"compare", octagon, "--output", taken}, {taken, "Not a directory"}},
        {{"validate", octagon, "--output", no_folder}, {no_folder, "No such file or directory"}},
        {{"validate", octagon, "--output", below_file}, {below_file, "Not a directory"}},
        {{"topology", "ring:4", "--format", "svg", "--output", no_folder},
         {no_folder, "No such file or directory"}},
        {{"topology", "ring:4", "--format", "dot", "--output", folder / "folder"}, {"Is a directory"}},
        // Of several places one is bad: the good ones stay untouched.
        {{"replay", octagon, "--csv", folder / "good.csv", "--svg", no_folder}, {no_folder}},
        {{"replay", octagon, "--svg", folder / "good.svg", "--hex", below_file}, {below_file}},
        {{"replay", octagon, "--vcd", folder / "good.vcd", "--hex", folder / std::string(300, 'x')},
         {"File name too long"}},
    });
    CHECK(folder.names() == before);
    CHECK(content_of(taken) == "a file");
    CHECK(std::filesystem::is_empty(folder / "folder"));
}

TEST_CASE("a full device is told, and stays a device", "[cli][bad input][output]")
{
    const TemporaryFolder folder;
    const std::string full =
        folder / "full"; // not /dev/full itself: should this test fail, that must survive
    std::filesystem::create_symlink("/dev/full", full);
    check_all_refused({
        {{"topology", "ring:4", "--format", "dot", "--output", full}, {full, "No space left on device"}},
        {{"validate", octagon, "--output", full}, {full, "No space left on device"}},
        {{"replay", octagon, "--csv", full}, {full, "No space left on device"}},
        {{"replay", octagon, "--vcd", full}, {full, "regular file"}},
    });
    CHECK(folder.names() == std::vector<std::string>{"full"});
    CHECK(std::filesystem::is_symlink(full));
    CHECK(std::filesystem::is_character_file(full));
}

TEST_CASE("a pipe or a link named as output is written through, not replaced", "[cli][output]")
{
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    CHECK(run_nocturne({"topology", "ring:4", "--format", "dot", "--output", pipe}).status == 0);
    char begin[7]{};
    CHECK(read(reader, begin, 7) == 7);
    close(reader);
    CHECK(std::string(begin, 7) == "digraph");
    CHECK(std::filesystem::is_fifo(pipe));

    const std::string file = folder.file("real.csv", "old");
    std::filesystem::create_symlink(file, folder / "link.csv");
    CHECK(run_nocturne({"replay", octagon, "--csv", folder / "link.csv", "--vcd", folder / "link.vcd"})
              .status == 0);
    CHECK(std::filesystem::is_symlink(folder / "link.csv"));
    CHECK_THAT(content_of(file), StartsWith("schedule,"));
    CHECK(folder.names() == std::vector<std::string>{"link.csv", "link.vcd", "pipe", "real.csv"});
}

TEST_CASE("standard output that cannot be written is told", "[cli][bad input][output]")
{
    for (const char* arguments : {"topology mesh:4x4", "topology mesh:20x20 --format json", "--help",
                                  "replay --help", "validate $schedule --json"}) {
        INFO(arguments);
        const Outcome outcome =
            run_shell("schedule='" + octagon + "'; $nocturne " + arguments + " > /dev/full");
        CHECK(outcome.status == 2);
        CHECK(outcome.err == "nocturne: standard output: cannot write\n");
    }
}

} // namespace nocturne::bad_input_test
