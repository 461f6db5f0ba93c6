// evolve as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::evolve_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

/// A problem of each engine, with islands that exchange often.
Arguments islands_of(const std::string& engine)
{
    if (engine == "hgsa")
        return {"evolve",   "hypercube:4", "--collective", "AAB", "--engine",    engine,
                "--slaves", "3",           "--seed",       "2",   "--switching", "store-and-forward"};
    const std::string network = engine == "umda" ? "omega:8" : "mesh:2x3";
    return {"evolve", network, "--collective", "AAS", "--engine", engine, "--islands", "3", "--epoch", "5"};
}

/// What it prints but for the time, which is never the same. Exit status 1 is an evolution without success.
json evolve(Arguments arguments, const Arguments& more)
{
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.emplace_back("--json");
    const Outcome outcome = run_nocturne(arguments);
    CHECK((outcome.status == 0 || outcome.status == 1));
    CHECK(outcome.err.empty());
    json result = json::parse(outcome.out);
    result["runs"][0].erase("seconds");
    result.erase("mean_seconds");
    result.erase("made_by"); // which has the number of workers
    return result;
}

} // namespace

TEST_CASE("a resumed evolution ends as an uninterrupted one", "[cli][evolve]")
{
    const Arguments islands = islands_of(GENERATE("umda", "mboa", "hgsa"));
    const std::string workers = GENERATE("1", "2");
    const TemporaryFolder folder;
    const std::string checkpoint = folder / "evolution.json";
    const json whole = evolve(islands, {"--evaluations", "400000", "--workers", workers});
    for (const char* const budget : {"0.001", "0.01", "0.1"})
        evolve(islands, {"--evaluations", "20000", "--budget", budget, "--workers", workers, "--checkpoint",
                         checkpoint});
    evolve(islands, {"--evaluations", "1500", "--workers", workers, "--checkpoint", checkpoint});
    CHECK(evolve(islands, {"--evaluations", "400000", "--workers", workers, "--checkpoint", checkpoint}) ==
          whole);
}

TEST_CASE("an evolution that a signal ends leaves a checkpoint or none, and no half of a file",
          "[cli][evolve]")
{
    const TemporaryFolder folder;
    const std::string checkpoint = folder / "evolution.json";
    const Arguments hopeless{NOCTURNE, "evolve",    "mesh:4x4", "--collective", "AAS",     "--islands",
                             "2",      "--workers", "2",        "--checkpoint", checkpoint};
    NocturneProcess running(hopeless);
    running.wait_for_worker();
    kill(running.id(), SIGINT);
    const Outcome outcome = running.wait();
    CHECK(outcome.status == 128 + SIGINT);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == "nocturne: interrupted\n");
    for (const std::string& name : folder.names())
        CHECK(name == "evolution.json");
}

} // namespace nocturne::evolve_command_test
