// What `validate` says of schedules that are valid, and of those that are not.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>

namespace nocturne::validate_command_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");
const std::string omega = library("omega8_aab.json");
const std::string fat_tree = library("fat_tree8_aas.json");

/// The rules that a schedule breaks according to `validate --json`, each once.
std::vector<std::string> rules_broken(const std::string& path)
{
    const json verdict = nocturne_json({"validate", path, "--json"}, 1);
    CHECK(verdict["valid"] == false);
    std::vector<std::string> rules;
    for (const json& violation : verdict["violations"]) {
        rules.push_back(violation["rule"]);
        CHECK_THAT(violation["text"].get<std::string>(), StartsWith(rules.back()));
    }
    std::sort(rules.begin(), rules.end());
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    return rules;
}

bool has(const std::vector<std::string>& list, const std::string& one)
{
    return std::find(list.begin(), list.end(), one) != list.end();
}

} // namespace

TEST_CASE("validate finds the printed schedules valid", "[cli][validate]")
{
    const std::string file = GENERATE_COPY(octagon, omega, fat_tree);
    CHECK(says(text_of({"validate", file}), "transfers", "56"));
    CHECK(says(text_of({"validate", file}), "valid", "yes"));
    const json verdict = nocturne_json({"validate", file, "--json"});
    CHECK(verdict["valid"] == true);
    CHECK(verdict["violations"].empty());
    CHECK(verdict["paths_completed"] == (file != octagon));
}

TEST_CASE("validate writes the schedule with its paths, which is as good as the original", "[cli][validate]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "with_paths.json";
    CHECK(nocturne_json({"validate", omega, "-o", file, "--json"})["paths_completed"] == true);
    CHECK(nocturne_json({"validate", file, "--json"})["paths_completed"] == false);
    CHECK(replay_json({"replay", file, "--json"})["time_ns"] ==
          replay_json({"replay", omega, "--json"})["time_ns"]);
}

TEST_CASE("validate names the rule that a changed schedule breaks, with and without paths in it",
          "[cli][validate]")
{
    const TemporaryFolder folder;
    const std::string original = GENERATE_COPY(octagon, omega, fat_tree);
    const auto broken_by = [&](auto change) {
        json schedule = json::parse(content_of(original));
        change(schedule["steps"]);
        return rules_broken(folder.file("changed.json", schedule.dump()));
    };
    INFO(original);
    CHECK(broken_by([](json& steps) { steps[1].erase(3); }) == std::vector<std::string>{"undelivered"});
    CHECK(has(broken_by([](json& steps) { steps[1].push_back(steps[1][0]); }), "redundant-delivery"));
    CHECK(has(broken_by([](json& steps) { steps.push_back(steps[1]); }), "redundant-delivery"));
    const auto moved = broken_by([](json& steps) {
        steps[2].push_back(steps[1][0]);
        steps[1].erase(0);
    });
    if (original == octagon) {
        CHECK(has(moved, "channel-conflict"));
    } else { // one-port, and no path can be found for all of the step
        CHECK(has(moved, "send-ports"));
        CHECK(has(moved, "missing-path"));
    }
    CHECK(has(broken_by([](json& steps) { steps.clear(); }), "undelivered"));
    if (original == omega)
        CHECK(has(broken_by([](json& steps) { steps[0][0]["message"] = {{"origin", "5"}}; }),
                  "sender-lacks-message"));
    else
        CHECK(has(broken_by([](json& steps) {
                      steps[0][0]["message"] = {{"origin", "5"}, {"to", steps[0][0]["to"]}};
                  }),
                  "sender-lacks-message"));
}

TEST_CASE("validate names the rule for bad paths and too few ports", "[cli][validate]")
{
    const TemporaryFolder folder;
    const auto broken_by = [&](auto change) {
        json schedule = json::parse(content_of(octagon));
        change(schedule);
        return rules_broken(folder.file("changed.json", schedule.dump()));
    };
    CHECK(
        has(broken_by([](json& schedule) { schedule["steps"][0][0]["path"] = {"0", "7"}; }), "broken-path"));
    CHECK(has(broken_by([](json& schedule) {
                  schedule["steps"][0][0].erase("path");
                  schedule["steps"][0][0]["channels"] = {99};
              }),
              "unknown-channel"));
    CHECK(has(broken_by([](json& schedule) { schedule["ports"] = "1"; }), "send-ports"));
    CHECK(has(broken_by([](json& schedule) { schedule["ports"] = "1"; }), "receive-ports"));
    CHECK(has(broken_by([](json& schedule) { schedule["switching"] = "store-and-forward"; }), "not-one-hop"));
}

TEST_CASE("a step that cannot be routed is named, beside what else is wrong", "[cli][validate]")
{
    const TemporaryFolder folder;
    json schedule = json::parse(content_of(omega));
    schedule["steps"][2].push_back(schedule["steps"][1][0]);
    const std::string file = folder.file("unroutable.json", schedule.dump());
    const json verdict = nocturne_json({"validate", file, "--json"}, 1);
    REQUIRE(verdict["unrouted"].size() == 1);
    CHECK_THAT(verdict["unrouted"][0].get<std::string>(), Contains("step 3: no paths without conflict"));
    for (const json& violation : verdict["violations"])
        if (violation["rule"] == "missing-path")
            CHECK(violation["step"] == 3); // the other steps have got their paths
    CHECK_THAT(text_of({"validate", file}, 1), Contains("step 3: no paths without conflict"));
}

TEST_CASE("an invalid schedule fails every check, with the reasons, and is not run", "[cli]")
{
    const TemporaryFolder folder;
    json schedule = json::parse(content_of(octagon));
    schedule["steps"][1].erase(3);
    const std::string file = folder.file("invalid.json", schedule.dump());
    for (const char* command : {"validate", "replay", "compare"}) {
        INFO(command);
        CHECK_THAT(text_of({command, file}, 1), Contains("Violations") && Contains("undelivered"));
        json result = nocturne_json({command, file, "--json"}, 1);
        if (result.contains("replays"))
            result = result["replays"][0];
        CHECK(result["valid"] == false);
        CHECK(result["violations"].size() == 1);
    }
    const json result = nocturne_json({"replay", file, "--json", "--bytes", "64,128"}, 1)["replays"].back();
    CHECK(result["memory_ok"] == false);
    CHECK(result["time_ns"] == 0);
    CHECK(result["steps"] == 4);
    CHECK(result["outcome"] == "not run");
    CHECK(result["step_times_ns"].empty());
    CHECK(run_nocturne({"compare", file, "-o", folder / "results"}).status == 1);
    CHECK(folder.names() == std::vector<std::string>{"invalid.json"});
}

} // namespace nocturne::validate_command_test
