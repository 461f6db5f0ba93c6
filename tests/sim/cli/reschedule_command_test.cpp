// reschedule as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>

namespace nocturne::reschedule_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

std::string octagon_schedule(const TemporaryFolder& folder, const char* collective)
{
    const std::string file = folder / "octagon.json";
    REQUIRE(run_nocturne({"schedule", "octagon:8", "--collective", collective, "-o", file}).status == 0);
    return file;
}

} // namespace

TEST_CASE("a schedule is repaired after a fault, and certify confirms what came out", "[cli][reschedule]")
{
    const TemporaryFolder folder;
    const std::string before = octagon_schedule(folder, "AAS");
    const std::string after = folder / "after.json";
    const json result =
        nocturne_json({"reschedule", before, "--fault", "link:0-1", "-o", after, "--json", "--workers", "1"});
    CHECK(result["steps_before"] == 4);
    CHECK(result["steps"] == 6);
    CHECK(result["lower_bound"] == 6);
    CHECK(result["optimal"] == true);
    CHECK(result["met_the_fault"].get<int>() > 0);
    CHECK(result["kept"].get<int>() + result["changed"].get<int>() + result["dropped"].get<int>() == 56);
    CHECK(result["kept"].get<int>() > 28);
    CHECK(nocturne_json({"certify", after, "--json"})["optimal"] == true);
    CHECK(run_nocturne({"replay", after, "--bytes", "64"}).status == 0);

    // A second fault, later on.
    const json again = nocturne_json({"reschedule", after, "--fault", "node:5", "--json", "--workers", "1"});
    CHECK_THAT(again["topology"].get<std::string>(), Contains("link:0-1") && Contains("node:5"));
    CHECK(again["steps_before"] == 6);
    CHECK(again["dropped"].get<int>() >= 14); // to and from node 5

    const Outcome text =
        run_nocturne({"reschedule", before, "--fault", "link:0-1", "--keep", "--workers", "1"});
    CHECK(text.status == 0);
    CHECK_THAT(text.out, Contains("kept") && Contains("repair"));
}

TEST_CASE("every fault of a network goes into tables and a picture", "[cli][reschedule]")
{
    const TemporaryFolder folder;
    const std::string results = folder / "faults";
    const json table = nocturne_json({"reschedule", "--table", "node", "mesh:2x3", "--collective", "AAB,OAS",
                                      "--source", "01", "-o", results, "--json"});
    REQUIRE(table["summary"].size() == 2);
    CHECK(table["summary"][0]["collective"] == "allgather");
    CHECK(table["summary"][1]["collective"] == "scatter from 01");
    CHECK(table["summary"][1]["refused"] == 1); // node 01 itself
    CHECK(table["cells"].size() == 12);
    CHECK(table["disconnections"].empty());
    for (const char* const name : {"faults.csv", "reschedules.csv", "summary.csv", "faults.json"})
        CHECK_FALSE(content_of(results + "/" + name).empty());
    CHECK_THAT(content_of(results + "/allgather.svg"), Contains("<svg") && Contains("after losing a node"));
    CHECK_THAT(content_of(results + "/scatter_from_01.svg"), Contains("none left to schedule"));
    const std::string csv = content_of(results + "/faults.csv");
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 8); // header, none, six nodes

    const Outcome text =
        run_nocturne({"reschedule", "--table", "link-pairs", "ring:4", "--collective", "AAB"});
    CHECK(text.status == 0);
    CHECK_THAT(text.out, Contains("disconnects the network") && Contains("after each link-pairs fault"));
}

TEST_CASE("an invalid schedule is judged instead of being re-scheduled", "[cli][bad input][reschedule]")
{
    const TemporaryFolder folder;
    json invalid = json::parse(content_of(octagon_schedule(folder, "OAB")));
    invalid["steps"].erase(0);
    const Outcome judged =
        run_nocturne({"reschedule", folder.file("invalid.json", invalid.dump()), "--fault", "link:0-1"});
    CHECK(judged.status == 1); // as for all who are given a schedule
    CHECK_THAT(judged.out, Contains("Violations"));
}

TEST_CASE("a broken channel that relays lead round can be re-scheduled for", "[cli][reschedule]")
{
    const TemporaryFolder folder;
    const std::string before = folder / "before.json";
    const std::string after = folder / "after.json";
    REQUIRE(run_nocturne({"schedule", "omega:4", "--collective", "AAS", "-o", before}).status == 0);
    const json result = nocturne_json(
        {"reschedule", before, "--fault", "channel:c0s0-c1s0", "-o", after, "--json", "--budget", "10"});
    CHECK(result["steps"].is_number());
    CHECK(nocturne_json({"certify", after, "--json"})["valid"] == true);
}

} // namespace nocturne::reschedule_command_test
