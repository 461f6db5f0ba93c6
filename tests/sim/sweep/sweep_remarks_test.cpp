// What the answer of a sweep says beside its points.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

namespace nocturne::sweep_remarks_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("what the results of points hang on is said once, and is no error of theirs", "[sweep][cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "a.ini", "command = traffic\n[options]\nrouting = shortest\ntopology = ring:5\nwindow = 4000\n"
                 "vcs = 1\n[sweep]\nload = 0.01 0.02 1\n");
    const Outcome outcome = run_nocturne({"sweep", file, "-o", folder / "a.db", "--json"});
    const auto json = nlohmann::json::parse(outcome.out);
    const std::string remark = "ring:5, routing shortest: can deadlock: ";
    REQUIRE(json["made_by"]["remarks"].size() == 1);
    CHECK_THAT(json["made_by"]["remarks"][0].get<std::string>(), StartsWith(remark));
    const std::size_t at = outcome.err.find(remark);
    REQUIRE(at != std::string::npos);
    CHECK(outcome.err.find(remark, at + 1) == std::string::npos);
    REQUIRE(json["failed"] == 1); // it has deadlocked
    CHECK(json["failures"].at(0)["status"] == 1);
    CHECK(json["failures"].at(0)["error"].is_null());
}

TEST_CASE("the answer as JSON counts points and names those that failed", "[sweep][cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file(
        "a.ini", "command = bound\n[options]\ncollective = AAS\n[sweep]\ntopology = ring:4 rong:4\n");
    const auto json = nocturne_json({"sweep", file, "-o", folder / "a.db", "--json"}, 1);
    CHECK(json["points"] == 2);
    CHECK(json["failed"] == 1);
    CHECK(json["database"] == folder / "a.db");
    CHECK(json["failures"].at(0)["point"] == 1);
    CHECK(json["failures"].at(0)["status"] == 2);
    CHECK_THAT(json["failures"].at(0)["error"].get<std::string>(), Contains("unknown network 'rong'"));
}

TEST_CASE("columns that match no field are named", "[sweep][cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("a.ini", "command = bound\ncolumns = lower_bound stepz\n[sweep]\n"
                                                  "topology = ring:4\ncollective = AAS\n");
    const Outcome outcome = run_nocturne({"sweep", file, "-o", folder / "a.db"});
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.err, Contains("a.ini: columns: no field of the table is called 'stepz'") &&
                                !Contains("'lower_bound'"));
}

} // namespace nocturne::sweep_remarks_test
