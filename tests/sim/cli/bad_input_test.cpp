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

} // namespace

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

TEST_CASE("files of garbage, of too deep a nesting, or cut off are refused by name", "[cli][bad input]")
{
    const TemporaryFolder folder;
    std::string noise;
    for (unsigned i = 0; i < 3000; ++i)
        noise += static_cast<char>((i * i * 2654435761u) >> 13);
    const std::string garbage = folder.file("garbage.json", noise);
    const std::string deep = folder.file("deep.json", std::string(200'000, '['));
    const std::string half = folder.file("half.json", content_of(octagon).substr(0, 700));
    for (const char* command : {"validate", "replay", "compare"}) {
        check_refused({command, garbage}, {garbage, "this is of an unknown format; a schedule "});
        check_refused({command, deep}, {deep});
        check_refused({command, half}, {half + ":19:"});
    }
    check_refused({"topology", garbage}, {garbage, "line 1"});
    check_refused({"topology", deep}, {deep});
}

TEST_CASE("names that are too long for a file are told before anything is written",
          "[cli][bad input][output]")
{
    const TemporaryFolder folder;
    const std::string name = folder / std::string(300, 'x');
    check_refused({"replay", octagon, "--vcd", folder / "good.vcd", "--hex", name}, {"File name too long"});
    check_refused({"schedule", "ring:5", "--collective", "AAB", "--checkpoint", folder / "a", "-o", name},
                  {"File name too long"});
    CHECK(folder.names().empty());
}

TEST_CASE("a full device is told, and stays a device", "[cli][bad input][output]")
{
    const TemporaryFolder folder;
    const std::string full =
        folder / "full"; // not /dev/full itself: should this test fail, that must survive
    std::filesystem::create_symlink("/dev/full", full);
    const std::vector<std::string> parts{full, "No space left on device"};
    check_refused({"topology", "ring:4", "--format", "dot", "--output", full}, parts);
    check_refused({"validate", octagon, "--output", full}, parts);
    check_refused({"replay", octagon, "--csv", full}, parts);
    check_refused({"replay", octagon, "--vcd", full}, {full, "regular file"});
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
