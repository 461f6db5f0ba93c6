// compare as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>

namespace nocturne::compare_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");
const std::string omega = library("omega8_aab.json");

} // namespace

TEST_CASE("compare sets the schedule beside the same messages without one", "[cli][compare]")
{
    const TemporaryFolder folder;
    const std::string text = text_of({"compare", omega, "--bytes", "64,256", "-o", folder / "a/b"});
    CHECK_THAT(text, Contains("shifted") && Contains("binomial") && Contains("self-timed") && Contains("t0"));
    CHECK(folder.names() == std::vector<std::string>{"a"});
    json written = json::parse(content_of(folder / "a/b/comparison.json"));
    CHECK(written.erase("made_by") == 1);
    CHECK_THAT(content_of(folder / "a/b/comparison.csv"), Contains("schedule,source routes"));
    for (const char* picture : {"latency.svg", "occupancy.svg"})
        CHECK_THAT(content_of(folder / "a/b" + std::string("/") + picture), Contains("<svg"));
    json printed = nocturne_json({"compare", omega, "--bytes", "64,256", "--json"});
    CHECK(printed.erase("made_by") == 1);
    CHECK(printed == written);
    CHECK(printed["runs"].size() == 2 * (2 + 2 * 6)); // barrier and self-timed, six orders by two routings
    for (const json& run : printed["runs"])
        CHECK((run["routing"] == "source routes" || run["routing"] == "tag" || run["routing"] == "adaptive"));
}

TEST_CASE("compare says which run without a schedule is the strongest, and on what hardware",
          "[cli][compare]")
{
    const TemporaryFolder folder;
    const Arguments command{"compare", octagon, "--bytes", "64,1024", "--vcs", "4", "-o", folder / "out"};
    CHECK_THAT(text_of(command), Contains("4 virtual channels") && Contains("shifted+chained, adaptive"));
    const json document = json::parse(content_of(folder / "out/comparison.json"));
    CHECK(document["runs"][0]["vcs"] == 4);
    std::vector<json> fastest = document["runs"];
    std::erase_if(fastest, [](const json& run) { return run["strongest"] != true; });
    REQUIRE(fastest.size() == 2);
    for (const json& strongest : fastest) {
        double least = 1e300;
        for (const json& run : document["runs"])
            if (run["message_bytes"] == strongest["message_bytes"] && run["routing"] != "source routes")
                least = std::min(least, run["time_ns"].get<double>());
        CHECK(strongest["time_ns"] == least);
    }
    CHECK_THAT(content_of(folder / "out/comparison.csv"),
               Contains("shifted+chained,adaptive,") && Contains(",true,"));
    CHECK_THAT(content_of(folder / "out/latency.svg"), Contains("4 virtual channels"));
    // All have what the most demanding one needs.
    CHECK(nocturne_json({"compare", octagon, "--bytes", "64,65", "--traffic", "shifted",
                         "--json"})["runs"][0]["vcs"] == 3);
}

TEST_CASE("compare leaves adaptive routing out where it cannot be, and says why", "[cli][compare]")
{
    for (const Arguments& hardware : {Arguments{"--model", "worm"},
                                      {"--background", "0.05"},
                                      {"--router-stages", "speculative"},
                                      {"--vcs", "2"}}) {
        Arguments command{"compare", octagon, "--bytes", "64,128", "--traffic", "shifted", "--json"};
        command.insert(command.end(), hardware.begin(), hardware.end());
        const json result = nocturne_json(command);
        INFO(hardware.front());
        const json remarks = result["made_by"].value("remarks", json::array());
        CHECK(std::ranges::count_if(remarks, [](const json& remark) {
                  return remark.get<std::string>().find(": no adaptive routing among the runs: ") !=
                         std::string::npos;
              }) == 1);
        for (const json& run : result["runs"])
            CHECK(run["routing"] != "adaptive");
    }
}

TEST_CASE("compare says where blocked cycles come from", "[cli][compare]")
{
    const TemporaryFolder folder;
    const Outcome outcome = run_nocturne({"compare", octagon, "--bytes", "64,128", "--traffic", "shifted",
                                          "--link-cycles", "20", "-o", folder / "out"});
    CHECK_THAT(outcome.out,
               Contains("schedule, source routes, 128 bytes: ") && Contains("shifted, ") &&
                   Contains("blocked cycles are waits for credits; buffers lack up to 38 flits"));
    CHECK_THAT(outcome.err, Contains("buffers lack up to 38 flits"));
    CHECK_THAT(content_of(folder / "out/comparison.csv"), Contains(",blocked_cycles,credit_wait_cycles,"));
}

TEST_CASE("compare says which traffic deadlocks and who waits for whom", "[cli][compare]")
{
    const Arguments command{"compare",  octagon, "--bytes", "2048,4096", "--routing",
                            "shortest", "--vcs", "1",       "--traffic", "shifted,in-order"};
    Arguments for_programs = command;
    for_programs.push_back("--json");
    const json result = nocturne_json(for_programs, 1);
    std::size_t deadlocks = 0;
    for (const json& run : result["runs"])
        if (run["outcome"] == "deadlock") {
            ++deadlocks;
            CHECK(run["stall"]["cycle"].size() >= 2);
            CHECK(run["memory_ok"] == false);
        }
    CHECK(deadlocks > 0);
    const Outcome text = run_nocturne(command);
    CHECK(text.status == 1);
    CHECK_THAT(text.out, Contains("deadlock: ") && Contains("waits"));
    CHECK_THAT(text.err, Contains("octagon:8, routing shortest: can deadlock: ")); // before it does
}

} // namespace nocturne::compare_command_test
