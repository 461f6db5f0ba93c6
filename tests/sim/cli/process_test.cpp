// The command among other processes: pipes that close, streams that are missing, Ctrl-C.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace nocturne::process_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");

/// Messages of millions of flits: minutes of work.
const Arguments long_run{NOCTURNE, "compare", octagon, "--bytes", "1000000,1100000", "--flit-bytes", "1"};

bool is_group_gone(pid_t group)
{
    return kill(-group, 0) != 0 && errno == ESRCH;
}

} // namespace

TEST_CASE("an interrupted run leaves no file and no worker, and says so in its exit status", "[cli][signals]")
{
    const auto [signal, status] = GENERATE(std::pair{SIGINT, 130}, std::pair{SIGTERM, 143});
    const bool to_all = GENERATE(true, false); // a terminal's Ctrl-C reaches the workers too
    const TemporaryFolder folder;
    folder.file("wires.vcd", "an older one");
    Arguments arguments = long_run;
    arguments.insert(arguments.end(), {"-o", folder / "results"});
    if (status == 143) // the other command that runs for long, and has a file open meanwhile
        arguments = {NOCTURNE,       "replay", octagon, "--bytes",           "1000000",
                     "--flit-bytes", "1",      "--vcd", folder / "wires.vcd"};
    NocturneProcess process(arguments);
    const pid_t group = process.id();
    process.wait_for_worker();
    usleep(20'000);
    kill(to_all ? -group : group, signal);
    const Outcome outcome = process.wait();
    CHECK(outcome.status == status);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("nocturne: interrupted"));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(is_group_gone(group));
    CHECK(folder.names() == std::vector<std::string>{"wires.vcd"});
    CHECK(content_of(folder / "wires.vcd") == "an older one");
}

TEST_CASE("Ctrl-C ends a search with the best schedule so far", "[cli][signals][schedule]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "best.json";
    const std::string checkpoint = folder / "checkpoint.json";
    // No engine alone meets the bound of this one in any time that a test has.
    NocturneProcess process({NOCTURNE, "schedule", "torus:8x9", "--collective", "AAS", "--engine", "local",
                             "--budget", "600", "-o", file, "--checkpoint", checkpoint, "--json"});
    const auto is_there = [&](const char* name) {
        const auto names = folder.names();
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    // From the second round on there is a schedule.
    for (int tries = 0; tries < 5000; ++tries) {
        usleep(50'000);
        if (is_there("checkpoint.json") && json::parse(content_of(checkpoint))["round"] >= 2)
            break;
    }
    kill(process.id(), SIGINT);
    const Outcome outcome = process.wait();
    CHECK(outcome.status == 130);
    const json result = json::parse(outcome.out);
    CHECK(result["interrupted"] == true);
    CHECK(result["end"] == (result["optimal"] == true ? "at the bound" : "interrupted"));
    REQUIRE(result["steps"].is_number());
    CHECK(nocturne_json({"certify", file, "--json"})["valid"] == true);
}

TEST_CASE("Ctrl-C ends a design with the best network so far", "[cli][signals][design]")
{
    const std::string workers = GENERATE(std::string("1"), std::string("2"));
    const TemporaryFolder folder;
    const std::string file = folder / "best.json";
    const std::vector<std::string> engine =
        GENERATE(std::vector<std::string>{}, std::vector<std::string>{"--engine", "gappin", "--generations",
                                                                      "1000000", "--population", "10"});
    std::vector<std::string> command{NOCTURNE,   "design", "40", "--links", "3",      "--seed",    "5",
                                     "--budget", "50",     "-o", file,      "--json", "--workers", workers};
    command.insert(command.end(), engine.begin(), engine.end());
    NocturneProcess process(command);
    usleep(2'000'000); // the first round of coolings ends after 0.8 s
    kill(process.id(), SIGINT);
    const Outcome outcome = process.wait();
    CAPTURE(outcome.err);
    CHECK(outcome.status == 130);
    const json result = json::parse(outcome.out);
    CHECK(result["interrupted"] == true);
    CHECK(nocturne_json({"topology", file, "--json"})["routers"] == 40);
}

TEST_CASE("Ctrl-C ends bounds with the best so far", "[cli][signals][bound]")
{
    // Of whole messages and of chunks. No formula of that size is refuted in the time of a test, and one of
    // torus:5x5 is too large to be tried.
    const std::vector<std::string> what =
        GENERATE(std::vector<std::string>{"torus:4x5", "--collective", "AAS"},
                 std::vector<std::string>{"torus:5x5", "--collective", "alltoall", "--chunks", "1",
                                          "--objective", "steps", "--in-steps", "9"});
    std::vector<std::string> command{NOCTURNE, "bound", "--exhaust", "--budget", "600", "--json"};
    command.insert(command.end(), what.begin(), what.end());
    NocturneProcess process(command);
    usleep(700'000); // wherever it is by then
    kill(process.id(), SIGINT);
    const Outcome outcome = process.wait();
    CAPTURE(outcome.out, outcome.err);
    CHECK(outcome.status == 130);
    const json result = json::parse(outcome.out);
    CHECK(result["interrupted"] == true);
    CHECK(result["bounds"][0]["steps"] >= 4);
}

TEST_CASE("Ctrl-C ends a load curve with the points that are done", "[cli][signals][traffic]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "points.json";
    const Arguments curve{"traffic",      "mesh:4x4", "--load",    "0.01:0.4:0.01",
                          "--window",     "60000",    "--workers", "2",
                          "--checkpoint", file,       "--json"};
    NocturneProcess process(with({NOCTURNE}, curve));
    for (int tries = 0; tries < 2000 && folder.names().empty(); ++tries)
        usleep(10'000);
    kill(process.id(), SIGINT);
    const Outcome outcome = process.wait();
    CAPTURE(outcome.err);
    CHECK(outcome.status == 130);
    const json points = json::parse(outcome.out)["curves"][0]["points"];
    REQUIRE(!points.empty());
    CHECK(points.size() < 40);
    CHECK_THAT(outcome.err,
               Contains("interrupted: " + std::to_string(points.size()) + " of 40 points are done"));
    const json& last = points.back();
    const json again =
        nocturne_json({"traffic", "mesh:4x4", "--load", last["load"].dump(), "--window", "60000", "--json"});
    CHECK(again["curves"][0]["points"][0] == last);
}

TEST_CASE("a trace that the disk has no room for is an error, and no file", "[cli][vcd]")
{
    const TemporaryFolder folder;
    // A limit of 4 KiB (dash counts in halves) stands for a full disk.
    const Outcome outcome = run_shell("trap '' XFSZ; ulimit -f 8; $nocturne replay " + octagon + " --vcd " +
                                      (folder / "wires.vcd"));
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("wires.vcd") && Contains("the disk may be full"));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(folder.names().empty());
}

TEST_CASE("workers do not outlive a command that is killed", "[cli][signals]")
{
    NocturneProcess process(long_run);
    const pid_t group = process.id();
    process.wait_for_worker();
    kill(group, SIGKILL);
    CHECK(process.wait().status ==
          128 + SIGKILL); // the workers hold the pipes too: this ends with the last of them
}

TEST_CASE("a worker that is killed is no bad input", "[cli][signals]")
{
    const TemporaryFolder folder;
    Arguments arguments = long_run;
    arguments.insert(arguments.end(), {"-o", folder / "results"});
    NocturneProcess process(arguments);
    kill(process.wait_for_worker(), SIGKILL);
    const Outcome outcome = process.wait();
    CHECK(outcome.status == 3);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err,
               Catch::StartsWith("nocturne: ") && Contains("worker process was killed by signal 9 (Killed)"));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(folder.names().empty());
}

TEST_CASE("a reader that goes away ends the output", "[cli][pipes]")
{
    NocturneProcess process({NOCTURNE, "topology", "mesh:40x40", "--format", "json"});
    CHECK(process.read_line_and_close() == "{");
    const Outcome outcome = process.wait();
    CHECK(outcome.status == 128 + SIGPIPE);
    CHECK(outcome.err.empty());
}

TEST_CASE("streams that are closed from the start are neither written to by mistake nor waited for",
          "[cli][pipes]")
{
    const TemporaryFolder folder;
    const std::string replay =
        "$nocturne replay '" + octagon + "' --csv " + (folder / "table.csv") + " --bytes 64,128 ";
    CHECK(run_shell(replay + "<&-").status == 0);
    CHECK(run_shell(replay + "2>&-").status == 0);
    for (const char* closed : {">&-", "<&- >&-", "<&- >&- 2>&-"}) {
        INFO(closed);
        std::filesystem::remove(folder / "table.csv");
        CHECK(run_shell(replay + closed).status == 2); // nobody saw the result
        CHECK_THAT(content_of(folder / "table.csv"), Contains("schedule,") && !Contains("Replay"));
    }
    CHECK(run_shell(replay + ">&-").err == "nocturne: standard output: cannot write\n");
}

TEST_CASE("a run that is piped shows no progress", "[cli][pipes]")
{
    const Outcome outcome =
        run_nocturne({"replay", octagon, "--bytes", "64:16384", "--json", "--workers", "1"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
}

} // namespace nocturne::process_test
