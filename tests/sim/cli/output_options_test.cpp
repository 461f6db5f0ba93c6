// Every output that an option names is there at the end of a run, or was refused before the run.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace nocturne::output_options_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

const std::set<std::string> inputs{"config",   "topology", "positions", "trace", "energy",
                                   "schedule", "result",   "start",     "what",  "collectives"};

/// The options of the command whose value is a file or folder that is written, by its help.
std::vector<std::string> outputs_of(const std::string& command)
{
    std::vector<std::string> options;
    std::istringstream help(text_of({command, "--help"}));
    for (std::string line; std::getline(help, line);) {
        std::replace_if(line.begin(), line.end(), [](char c) { return c == '[' || c == ']'; }, ' ');
        const auto name = line.find("--");
        std::string option, value;
        if (name != std::string::npos && std::istringstream(line.substr(name + 2)) >> option >> value &&
            (value == "FILE" || value == "DIR") && inputs.count(option) == 0)
            options.push_back(option);
    }
    return options;
}

/// One way to use a command, in a folder that has `files_in()`.
struct Mode {
    Arguments arguments;
    int status = 0; ///< of a run
};

void check_outputs(const Mode& mode)
{
    for (const std::string& option : outputs_of(mode.arguments.front())) {
        const TemporaryFolder folder;
        Arguments arguments = mode.arguments;
        const std::string place = folder / ("made" + std::string(option == "output" ? ".json" : ""));
        arguments.insert(arguments.end(), {"--" + option, place});
        if (option == "energy-svg")
            arguments.insert(arguments.end(),
                             {"--energy", PROJECT_FOLDER "/examples/energy/router_45nm.json"});
        std::string line;
        for (const std::string& word : arguments)
            line += word + ' ';
        INFO(line);
        const Outcome outcome = run_nocturne(arguments);
        INFO(outcome.out << outcome.err);
        if (outcome.status == 2) {
            CHECK(outcome.out.empty());
            CHECK(folder.names().empty());
            CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        } else {
            CHECK(outcome.status == mode.status);
            CHECK(std::filesystem::exists(place));
        }
    }
}

const std::string aas = SCHEDULE_LIBRARY "/octagon8_aas.json";
const Arguments short_run{"--warm-up", "10", "--window", "60", "--batches", "2", "--drain", "2000"};

} // namespace

TEST_CASE("traffic writes what it is asked for, or refuses to begin", "[cli][output]")
{
    const TemporaryFolder folder;
    const std::string trace =
        folder.file("trace.csv", "cycle,source,destination,bytes,after\n0,0,2,64,\n5,1,0,4,0\n");
    check_outputs({with({"traffic", "ring:4"}, short_run)});
    check_outputs(
        {with({"traffic", "ring:4", "--load", "1", "--queue-packets", "2"}, short_run)}); // saturated
    check_outputs({{"traffic", "ring:4", "--trace", trace}});
    check_outputs({{"traffic", "ring:4", "--closed-loop", "2", "--window", "60", "--batches", "2"}});
}

TEST_CASE("replay writes what it is asked for, or refuses to begin", "[cli][output]")
{
    const TemporaryFolder folder;
    const std::string chunks = folder / "chunks.json";
    REQUIRE(run_nocturne(
                {"schedule", "ring:4", "--collective", "allgather", "--objective", "steps", "-o", chunks})
                .status == 0);
    check_outputs({{"replay", aas, "--bytes", "8"}});
    check_outputs({{"replay", aas, "--bytes", "8", "--model", "worm"}});
    check_outputs({{"replay", chunks, "--bytes", "64"}});
}

TEST_CASE("a disk that is full leaves no half of a folder", "[cli][bad input][output]")
{
    const TemporaryFolder folder;
    const std::string made = folder / "made";
    const std::string commands[] = {
        "replay " + aas + " --bytes 16KiB --hex ", "compare " + aas + " --bytes 64,128 -o ",
        "reschedule --table channel ring:4 --collective OAB,OAS -o ", "export " + aas + " --rtl "};
    for (const std::string& command : commands) {
        INFO(command);
        // Files of 2 KiB at most.
        const Outcome full = run_shell("trap '' XFSZ; ulimit -f 4; $nocturne " + command + made);
        CHECK(full.status == 2);
        CHECK_THAT(full.err, Contains("File too large"));
        CHECK(folder.names().empty());
    }
}

// In ./run nightly.
TEST_CASE("every command writes what it is asked for, or refuses to begin", "[.][outputs of all commands]")
{
    const TemporaryFolder folder;
    const std::string chunks = folder / "chunks.json", bound = folder / "bound.json";
    REQUIRE(run_nocturne(
                {"schedule", "ring:4", "--collective", "allgather", "--objective", "steps", "-o", chunks})
                .status == 0);
    REQUIRE(run_nocturne({"bound", "ring:4", "--collective", "AAS", "-o", bound}).status == 0);
    const std::vector<Mode> modes{
        {with({"traffic", "ring:4", "--model", "worm"}, short_run)},
        {with({"traffic", "ring:4", "--saturation", "--tolerance", "0.4"}, short_run)},
        {with({"traffic", "ring:4", "--runs", "2"}, short_run)},
        {with({"traffic", "ring:4", "--load", "0"}, short_run)},
        {{"replay", aas, "--bytes", "8,16", "--payload", "digest"}},
        {{"replay", aas, "--bytes", "8", "--mode", "self-timed", "--background", "0.01"}},
        {{"compare", aas, "--bytes", "8,16"}},
        {{"compare", aas, "--bytes", "8,16", "--model", "worm"}},
        {{"compare", aas, "--bytes", "8,16", "--payload", "digest"}},
        {{"recover", aas, "--fault", "link:0-1", "--at-step", "2"}},
        {{"recover", aas, "--fault", "link:0-1", "--at-step", "2", "--model", "worm"}},
        {{"recover", "--unscheduled", "mesh:3x3", "--collective", "AAS", "--fault", "link:11-12", "--at-ns",
          "3500"}},
        {{"reschedule", aas, "--fault", "link:0-1"}},
        {{"reschedule", "--table", "channel", "ring:4", "--collective", "OAB"}},
        {{"evolve", "ring:4", "--collective", "OAB", "--evaluations", "500"}},
        {{"evolve", "ring:4", "--collective", "OAB", "--evaluations", "500", "--runs", "2"}},
        {{"evolve", "hypercube:3", "--collective", "AAB", "--engine", "hgsa", "--budget", "5"}},
        {{"bound", "ring:4", "--collective", "AAS"}},
        {{"bound", "ring:4", "--collective", "OAB", "--exhaust"}},
        {{"bound", "ring:4", "--collective", "allreduce", "--objective", "steps"}},
        {{"schedule", "ring:4", "--collective", "AAS"}},
        {{"schedule", "ring:4", "--collective", "allreduce", "--objective", "time", "--budget", "2"}},
        {{"validate", aas}},
        {{"validate", chunks}},
        {{"certify", bound}},
        {{"front", "ring:4", "--collective", "allgather", "--most-chunks", "2", "--budget", "5"}},
        {{"audit", PROJECT_FOLDER "/examples/audit/all_reduce_h200.log", "--topology", "dgx_h100", "--budget",
          "0"}},
        {{"contract", "ring:4", "--flow", "source=0,destination=2,mbytes_per_s=100"}},
        {{"benes", "4", "--samples", "2"}},
        {{"design", "8", "--links", "3", "--exchanges", "100"}},
        {{"design", "8", "--links", "3", "--engine", "gappin", "--generations", "2"}},
        {{"topology", "ring:4"}},
        {{"topology", "ring:4", "--measure"}},
        {{"topology", "--list"}},
        {{"report", aas}},
        {{"export", aas}},
        {{"export", "ring:4", "--packets", "5"}},
        {{"export", chunks}},
    };
    for (const Mode& mode : modes)
        check_outputs(mode);
}

} // namespace nocturne::output_options_test
