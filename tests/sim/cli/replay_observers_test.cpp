// What is asked for beside the time does not change it: pictures, recordings, traces and tables of a replay.
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace nocturne::replay_observers_test {

using namespace nocturne::test;

namespace {

/// Problems whose schedules are replayed, of messages and of chunks by each objective.
std::vector<std::string> problems()
{
    std::vector<std::string> result;
    std::size_t number = 0;
    for (const std::string network : {"ring:4", "mesh:2x3", "octagon:8", "star:4", "hypercube:3"})
        for (const std::string collective : {"allgather", "allreduce", "alltoall", "broadcast", "scatter",
                                             "reduce", "gather", "reduce-scatter", "scan", "permutation"})
            for (const std::string question :
                 {"", " --objective time --bytes 4KiB", " --objective steps", " --objective bandwidth"})
                if (is_tried(number++, 37) && (collective != "permutation" || network == "ring:4"))
                    result.push_back(network + " --collective " + collective +
                                     (collective == "permutation" ? " --image 1,2,3,0" : "") + question +
                                     " --budget 1");
    return result;
}

/// All that a run has of its own.
nlohmann::json measured(const std::string& command)
{
    const Outcome outcome = run_words(command + " --json");
    INFO(command << '\n' << outcome.err);
    REQUIRE(outcome.status == 0);
    const auto document = nlohmann::json::parse(outcome.out);
    nlohmann::json kept;
    for (const nlohmann::json& replay : document["replays"])
        for (const char* const key : {"time_ns", "step_times_ns", "blocked_cycles", "flit_hops", "vcs",
                                      "mode", "model_time_ns", "message_bytes", "memory_ok"})
            kept[key].push_back(replay[key]);
    return kept;
}

} // namespace

TEST_CASE("a replay takes the same time whatever else is asked for", "[cli][replay]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    const std::array<std::string, 6> observers{
        " --channel-use",
        " --svg " + (folder / "a.svg"),
        " --timeline " + (folder / "a.trace.json") + " --record " + (folder / "a.record.json"),
        " --energy " PROJECT_FOLDER "/examples/energy/router_45nm.json --csv " + (folder / "a.csv"),
        " --payload digest",
        " --vcd " + (folder / "a.vcd")};
    std::size_t number = 0;
    for (const std::string& problem : problems()) {
        REQUIRE(run_words("schedule " + problem + " -o " + file).status == 0);
        for (const std::string model : {"flit", "worm"}) {
            const std::string replay = "replay " + file + " --bytes 1KiB --model " + model;
            const nlohmann::json alone = measured(replay);
            INFO(problem << ", " << replay);
            CHECK(alone["memory_ok"][0] == true);
            for (const std::string& observer : observers)
                if (is_tried(number++, 3) && !(model == "worm" && observer.starts_with(" --vcd"))) {
                    INFO(observer);
                    CHECK(measured(replay + observer) == alone);
                }
        }
    }
}

TEST_CASE("a comparison runs the schedule in the file", "[cli][replay]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    const std::string question = GENERATE("", " --objective time --bytes 4KiB", " --objective steps");
    const std::string model = GENERATE(" --model flit", " --model worm");
    REQUIRE(
        run_words("schedule ring:4 --collective allreduce --budget 1" + question + " -o " + file).status ==
        0);
    const std::string options = " --bytes 1KiB,4KiB --vcs 4 --json" + model;
    const auto compared = nlohmann::json::parse(
        run_words("compare " + file + " --traffic shifted --routing auto" + options).out);
    const auto replayed = nlohmann::json::parse(run_words("replay " + file + options).out);
    for (std::size_t size = 0; size < 2; ++size)
        CHECK(compared["runs"][size * compared["runs"].size() / 2]["time_ns"] ==
              replayed["replays"][size]["time_ns"]);
}

} // namespace nocturne::replay_observers_test
