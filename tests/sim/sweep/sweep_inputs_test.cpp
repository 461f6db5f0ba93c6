// A point depends on what is in the files that its command reads, whatever names them: with another content
// its results are not taken for those of this sweep.
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace nocturne::sweep_inputs_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// Points of one command: options and values, in which `@NAME` is a file of ours.
struct CommandPoints {
    std::string command;
    std::vector<std::map<std::string, std::string>> points;
};

const std::vector<CommandPoints> all_points{
    {"topology",
     {{{"topology", "@net.json"}, {"config", "@empty.ini"}},
      {{"topology", "ring:4"}, {"measure", "true"}, {"positions", "@places"}}}},
    {"traffic",
     {{{"topology", "@net.json"}, {"config", "@short.ini"}},
      {{"topology", "ring:4"}, {"pattern", "permutation:@permutation"}, {"window", "20"}},
      {{"topology", "ring:4"}, {"pattern", "matrix:@matrix"}, {"window", "20"}},
      {{"topology", "ring:4"}, {"trace", "@trace.csv"}},
      {{"topology", "ring:4"}, {"energy", "@energy.json"}, {"window", "20"}}}},
    {"bound", {{{"topology", "@net.json"}, {"config", "@collective.ini"}}}},
    {"schedule",
     {{{"topology", "@net.json"}, {"start", "@aas.json"}, {"config", "@collective.ini"}},
      {{"topology", "@net.json"}, {"collectives", "@pipeline.json"}}}},
    {"front", {{{"topology", "@net.json"}, {"collective", "allgather"}, {"config", "@empty.ini"}}}},
    {"audit", {{{"log", "@measured.csv"}, {"topology", "@net.json"}, {"config", "@audit.ini"}}}},
    {"validate",
     {{{"schedule", "@aas.json"}, {"topology", "@net.json"}, {"config", "@empty.ini"}},
      {{"schedule", "@aas.nsched"}},
      {{"schedule", "@with_file.json"}}}}, // whose network is in @net.json
    {"certify", {{{"result", "@aas.json"}, {"config", "@empty.ini"}}}},
    {"replay",
     {{{"schedule", "@aas.json"}, {"topology", "@net.json"}, {"energy", "@energy.json"}},
      {{"schedule", "@aas.json"}, {"config", "@empty.ini"}}}},
    {"compare", {{{"schedule", "@aas.json"}, {"topology", "@net.json"}, {"config", "@sizes.ini"}}}},
    {"recover",
     {{{"schedule", "@aas.json"},
       {"topology", "@net.json"},
       {"fault", "link:0-1"},
       {"config", "@fault.ini"}}}},
    {"reschedule",
     {{{"schedule", "@aas.json"},
       {"topology", "@net.json"},
       {"fault", "link:0-1"},
       {"config", "@empty.ini"}}}},
    {"evolve", {{{"topology", "@net.json"}, {"start", "@aas.json"}, {"config", "@evolve.ini"}}}},
    {"contract",
     {{{"topology", "@net.json"}, {"flows", "@flows.csv"}, {"config", "@empty.ini"}},
      {{"topology", "@net.json"}, {"table", "@slots.json"}, {"config", "@empty.ini"}}}},
    {"benes", {{{"config", "@benes.ini"}}}},
    {"design", {{{"config", "@design.ini"}, {"positions", "@places"}}}},
    {"export", {{{"what", "@aas.json"}, {"config", "@empty.ini"}, {"rtl", "@out-{point}"}}}},
};

void write_inputs(const TemporaryFolder& folder)
{
    folder.file("net.json", to_json(make_topology("ring:4")));
    folder.file("places", "0 0 0\n1 1 0\n2 1 1\n3 0 1\n");
    folder.file("permutation", "1 2 3 0\n");
    folder.file("matrix", "0 1 1 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n");
    folder.file("trace.csv", "cycle,source,destination,bytes,after\n1,0,1,8,\n");
    std::filesystem::copy(PROJECT_FOLDER "/examples/energy/router_45nm.json", folder / "energy.json");
    std::filesystem::copy(PROJECT_FOLDER "/examples/collectives/pipeline.json", folder / "pipeline.json");
    folder.file("measured.csv", "op,bytes,time_us\nall_reduce,1024,50\n");
    folder.file("audit.ini", "link-rate = 25GB/s\nbudget = 0\n");
    folder.file("short.ini", "window = 20\n");
    folder.file("collective.ini", "collective = AAS\n");
    folder.file("sizes.ini", "bytes = 4,8\n");
    folder.file("evolve.ini", "collective = AAS\nevaluations = 100000\n");
    folder.file("benes.ini", "processors = 4\nsamples = 2\n");
    folder.file("design.ini", "nodes = 4\nlinks = 2\nexchanges = 10\n");
    folder.file("fault.ini", "at-step = 1\n");
    folder.file("empty.ini", "# nothing\n");
    folder.file("flows.csv", "source,destination,mbytes_per_s\n0,2,100\n");
    REQUIRE(run_nocturne({"contract", "ring:4", "--flows", folder / "flows.csv", "-o", folder / "slots.json"})
                .status == 0);
    REQUIRE(run_nocturne({"schedule", "ring:4", "--collective", "AAS", "-o", folder / "aas.json"}).status ==
            0);
    REQUIRE(run_nocturne({"validate", folder / "aas.json", "-o", folder / "aas.nsched"}).status == 0);
    auto document = nlohmann::ordered_json::parse(content_of(folder / "aas.json"));
    document["topology"] = "net.json";
    folder.file("with_file.json", document.dump());
}

/// The options of the command that take a file, by its help.
std::set<std::string> options_with_files(const std::string& command)
{
    std::set<std::string> options;
    std::istringstream help(text_of({command, "--help"}));
    for (std::string line; std::getline(help, line);) {
        const auto name = line.find("--");
        std::string option, value;
        if (name != std::string::npos && std::istringstream(line.substr(name + 2)) >> option >> value) {
            if (value == "]") // -o [ --output ] FILE
                std::istringstream(line.substr(line.find(']') + 1)) >> value;
            if (value == "FILE" || value == "SPEC" || value == "DIR" || value == "FILE|SPEC")
                options.insert(option);
        }
    }
    return options;
}

} // namespace

TEST_CASE("a sweep does not go on where a file that it reads has changed", "[sweep][cli]")
{
    const TemporaryFolder folder;
    write_inputs(folder);
    for (const auto& [command, points] : all_points) {
        INFO(command);
        nlohmann::json document{{"command", command}};
        std::set<std::string> files;
        for (const auto& point : points) {
            nlohmann::json& block = document["sweep"].emplace_back();
            for (const auto& [option, value] : point) {
                const auto at = value.find('@');
                block[option] =
                    at == std::string::npos ? value : value.substr(0, at) + (folder / value.substr(at + 1));
                if (at != std::string::npos && value.find('{') == std::string::npos)
                    files.insert(value.substr(at + 1));
            }
        }
        const std::string file = folder.file("sweep.json", document.dump());
        const std::string database = folder / (command + ".db");
        const Outcome first = run_nocturne({"sweep", file, "-o", database});
        INFO(first.out << first.err);
        CHECK(first.status == 0);
        CHECK(run_nocturne({"sweep", file, "-o", database}).status == 0);
        for (const std::string& name : files) {
            INFO(name);
            const std::string before = content_of(folder / name);
            folder.file(name, before + "\n");
            check_refused({"sweep", file, "-o", database},
                          {database + ": its points were run with another content of " + folder / name});
            folder.file(name, before);
        }
    }
}

TEST_CASE("an option that names a file is in the test of inputs, or names one that is written",
          "[sweep][cli]")
{
    const TemporaryFolder folder;
    std::size_t commands = 0;
    std::istringstream help(text_of({"--help"}));
    for (std::string line; std::getline(help, line) && !line.starts_with("'nocturne");) {
        std::string command;
        // Lines of commands, not those of first steps; and what results are not of.
        if (!line.starts_with("  ") || line.starts_with("   ") || !(std::istringstream(line) >> command) ||
            command == "sweep" || command == "report" || command == "import")
            continue;
        INFO(command);
        ++commands;
        std::set<std::string> tested;
        for (const auto& [name, points] : all_points)
            for (const auto& point : points)
                for (const auto& [option, value] : point)
                    if (name == command)
                        tested.insert(option);
        for (const std::string& option : options_with_files(command)) {
            INFO(option);
            if (tested.count(option) == 0 || option == "rtl") // two points would write one place
                check_refused(
                    {"sweep", "--list",
                     folder.file("sweep.json", R"({"command": ")" + command + R"(", "options": {")" + option +
                                                   R"(": "x"}, "sweep": [{"seed": [1, 2]}]})")},
                    {option, "would write the same place"});
        }
    }
    CHECK(commands == all_points.size());
}

TEST_CASE("a point that failed before it had a result depends on no file", "[sweep][cli]")
{
    const TemporaryFolder folder;
    const std::string broken =
        folder.file("b.ini", "command = bound\n[options]\ncollective = AAS\n[sweep]\ntopology = '" +
                                 (folder / "bad.json") + "' ring:4\n");
    folder.file("bad.json", "{}");
    CHECK(run_nocturne({"sweep", broken, "-o", folder / "b.db"}).status == 1);
    folder.file("bad.json", to_json(make_topology("ring:4")));
    CHECK(run_nocturne({"sweep", broken, "-o", folder / "b.db", "--retry"}).status == 0);
}

} // namespace nocturne::sweep_inputs_test
