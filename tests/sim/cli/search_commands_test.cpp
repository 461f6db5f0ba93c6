// bound, schedule and certify as their users have them.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace nocturne::search_commands_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("bound says how many steps are needed, and why", "[cli][bound]")
{
    const json bound = nocturne_json({"bound", "mesh:4x4", "--collective", "AAS", "--json"});
    CHECK(bound["lower_bound"] == 16);
    CHECK(bound["bound_kind"] == "flow");
    CHECK_FALSE(bound["bound_reason"].get<std::string>().empty());
    CHECK(bound["bounds"].size() > 1);
    const json broken =
        nocturne_json({"bound", "mesh:4x4", "--collective", "AAS", "--fault", "link:01-02", "--json"});
    CHECK(broken["lower_bound"] == 22);
    const Outcome text = run_nocturne({"bound", "--topology", "mesh:4x4", "--collective", "AAB"});
    CHECK(text.status == 0);
    CHECK_THAT(
        text.out,
        Contains("allgather (AAB, all-to-all broadcast) on mesh:4x4, all-port, wormhole: at least 8 steps"));
}

TEST_CASE("schedule finds an optimum that replay runs and certify confirms", "[cli][schedule]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "octagon.json";
    const json found =
        nocturne_json({"schedule", "--topology", "octagon:8", "--collective", "AAS", "-o", file, "--json"});
    CHECK(found["steps"] == 4);
    CHECK(found["lower_bound"] == 4);
    CHECK(found["optimal"] == true);
    CHECK(found["bound_kind"] == "flow");
    CHECK(found["engine"].is_string());
    CHECK(found["seconds"].is_number());

    CHECK(nocturne_json({"validate", file, "--json"})["valid"] == true);
    const json verdict = nocturne_json({"certify", file, "--json"});
    CHECK(verdict["optimal"] == true);
    CHECK(verdict["proven"] == true);
    CHECK(run_nocturne({"replay", file, "--bytes", "256"}).status == 0);

    // Somebody claims more than the certificate proves.
    json forged = json::parse(content_of(file));
    forged["lower_bound"]["steps"] = 5;
    const Outcome refused = run_nocturne({"certify", folder.file("forged.json", forged.dump())});
    CHECK(refused.status == 1);
    CHECK(says(refused.out, "proven", "no"));
    forged = json::parse(content_of(file));
    forged["steps"][0].erase(0);
    CHECK(nocturne_json({"certify", folder.file("short.json", forged.dump()), "--json"}, 1)["valid"] ==
          false);
}

TEST_CASE("a bound goes to a file that certify takes", "[cli][bound]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "bound.json";
    CHECK(run_nocturne({"bound", "petersen", "--collective", "AAS", "-o", file}).status == 0);
    const json verdict = nocturne_json({"certify", file, "--json"});
    CHECK(verdict["lower_bound"] == 5);
    CHECK(verdict["proven"] == true);
    CHECK(verdict["steps"].is_null());
}

TEST_CASE("an exhausted bound comes with a proof that certify checks", "[cli][bound]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "bound.json";
    const Arguments problem{"bound",       "ring:7", "--collective", "MNB", "--senders", "2,4,5",
                            "--receivers", "0-6",    "--exhaust",    "-o",  file};
    CHECK_THAT(
        run_nocturne(problem).out,
        Contains("at least 3 steps") && Contains("infeasibility") &&
            Contains("exhaustive search: there is a schedule with 3 steps: the bound cannot be raised"));
    CHECK(nocturne_json({"certify", file, "--json"})["proven"] == true);

    json changed = json::parse(content_of(file));
    REQUIRE_FALSE(changed["lower_bound"]["certificate"]["proof"].get<std::string>().empty());
    changed["lower_bound"]["steps"] = 4; // there is a schedule of 3
    CHECK(nocturne_json({"certify", folder.file("more.json", changed.dump()), "--json"}, 1)["proven"] ==
          false);
    changed["lower_bound"]["steps"] = 3;
    changed["lower_bound"]["certificate"]["proof"] = "";
    const Outcome none = run_nocturne({"certify", folder.file("none.json", changed.dump())});
    CHECK(none.status == 1);
    CHECK_THAT(none.out, Contains("no proof is given that 2 steps are too few"));
    changed["lower_bound"]["certificate"]["proof"] = "1 0\n0\n";
    check_refused({"certify", folder.file("wrong.json", changed.dump())}, {"wrong.json", "proof is damaged"});
}

TEST_CASE("all-reduce and scan are searched through as copies are", "[cli][bound]")
{
    const std::string kind = GENERATE("allreduce", "scan");
    const TemporaryFolder folder;
    const std::string file = folder / "bound.json", formula = folder / "formula.cnf";
    const Arguments problem{"bound",     "mesh:1x4", "--collective", kind, "--ports", "1",
                            "--exhaust", "--dimacs", formula,        "-o", file,      "--json"};
    const json found = nocturne_json(problem);
    CHECK(found["lower_bound"] == 3);
    CHECK(found["bound_kind"] == "infeasibility");
    CHECK(found["exhaust"]["end"] == "schedule exists");
    CHECK(nocturne_json({"certify", file, "--json"})["proven"] == true);
    CHECK_THAT(content_of(formula), Catch::StartsWith("p cnf "));
}

TEST_CASE("formula and proof of an exhausted bound go to files for other checkers", "[cli][bound]")
{
    const TemporaryFolder folder;
    const std::string formula = folder / "formula.cnf";
    const std::string proof = folder / "proof.drat";
    const Arguments problem{"bound",     "ring:7", "--collective", "MNB",
                            "--senders", "2,4,5",  "--receivers",  "0-6"};
    const auto with = [&](const Arguments& more) {
        Arguments all = problem;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    REQUIRE(run_nocturne(with({"--exhaust", "--dimacs", formula, "--proof", proof})).status == 0);
    CHECK_THAT(content_of(formula), Catch::StartsWith("p cnf "));
    CHECK_THAT(content_of(proof), Catch::EndsWith("\n0\n"));
    CHECK(folder.names() == std::vector<std::string>{"formula.cnf", "proof.drat"});
}

TEST_CASE("an exhaustive search that ran out of budget does not look like one that ended", "[cli][bound]")
{
    const Arguments search{"bound",   "mesh:3x3", "--collective", "AAS",
                           "--ports", "1",        "--exhaust",    "--budget"};
    const auto within = [&](const char* seconds, bool as_json) {
        Arguments all = search;
        all.emplace_back(seconds);
        if (as_json)
            all.emplace_back("--json");
        return all;
    };
    CHECK_THAT(
        run_nocturne(within("0.001", false)).out,
        Contains("exhaustive search: out of budget: whether there is a schedule with 8 steps is not known"));
    CHECK(nocturne_json(within("0.001", true))["exhaust"] ==
          (json{{"steps", 8}, {"rounds", nullptr}, {"end", "out of budget"}}));
    CHECK(nocturne_json({"bound", "ring:4", "--collective", "OAB", "--exhaust", "--json"})["exhaust"] ==
          (json{{"steps", 2}, {"rounds", nullptr}, {"end", "schedule exists"}}));
    CHECK(nocturne_json({"bound", "ring:4", "--collective", "OAB", "--json"})["exhaust"].is_null());
    CHECK(nocturne_json({"bound", "mesh:8x8", "--collective", "AAS", "--exhaust",
                         "--json"})["exhaust"]["end"] == "too large");
}

TEST_CASE("participants, ports and faults are part of the problem", "[cli][schedule]")
{
    CHECK(nocturne_json({"schedule", "fat_octagon:8", "--collective", "MNS", "--senders",
                         "0,2,4,6,8,10,12,14", "--receivers", "0,2,4,6,8,10,12,14", "--json"})["steps"] == 7);
    CHECK(nocturne_json({"schedule", "mesh:4x4", "--collective", "AAB", "--ports", "1", "--json"})["steps"] ==
          15);
    CHECK(nocturne_json({"schedule", "mesh:4x4", "--collective", "OAS", "--source", "01", "--slack", "0",
                         "--json"})["steps"] == 6);
    CHECK(nocturne_json(
              {"schedule", "mesh:4x4", "--collective", "AAB", "--fault", "node:00", "--json"})["steps"] == 7);
}

TEST_CASE("faults that relays lead round, or that cut off who takes no part, are part of a problem",
          "[cli][schedule]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "result.json";
    CHECK(nocturne_json({"schedule", "omega:4", "--collective", "AAS", "--fault", "channel:c0s0-c1s0", "-o",
                         file, "--json"})["optimal"] == true);
    CHECK(nocturne_json({"certify", file, "--json"})["valid"] == true);
    CHECK(nocturne_json({"schedule", "mesh:2x3", "--collective", "MNS", "--senders", "00,01", "--receivers",
                         "10,11", "--fault", "link:01-02", "--fault", "link:02-12", "--json"})["optimal"] ==
          true);
}

TEST_CASE("validate and certify hold a schedule to the slack in its file", "[cli][validate]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "result.json";
    REQUIRE(run_nocturne({"schedule", "ring:4", "--collective", "OAS", "--slack", "0", "-o", file}).status ==
            0);
    json schedule = json::parse(content_of(file));
    CHECK(schedule["slack"] == 0);
    CHECK(run_nocturne({"validate", file}).status == 0);
    schedule["steps"] = json::parse(R"([[{"from": "0", "to": "1", "path": ["0", "3", "2", "1"]}],
                                        [{"from": "0", "to": "2", "path": ["0", "1", "2"]}],
                                        [{"from": "0", "to": "3", "path": ["0", "3"]}]])");
    const std::string around = folder.file("around.json", schedule.dump());
    CHECK(nocturne_json({"validate", around, "--json"}, 1)["violations"][0]["rule"] == "too-many-hops");
    CHECK(nocturne_json({"certify", around, "--json"}, 1)["valid"] == false);
    CHECK(run_nocturne({"replay", around, "--bytes", "64"}).status == 1);
    schedule.erase("slack");
    schedule.erase("lower_bound");
    CHECK(run_nocturne({"validate", folder.file("any.json", schedule.dump())}).status == 0);
}

TEST_CASE("Ctrl-C ends a search with the best schedule so far", "[cli][signals][schedule]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "best.json";
    const std::string checkpoint = folder / "checkpoint.json";
    // No engine alone meets the bound of this one in any time that a test has.
    NocturneProcess process({NOCTURNE, "schedule", "torus:9x11", "--collective", "AAS", "--engine", "local",
                             "--budget", "600", "-o", file, "--checkpoint", checkpoint, "--json"});
    const auto is_there = [&](const char* name) {
        const auto names = folder.names();
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    // From the second round on there is a schedule.
    for (int tries = 0; tries < 2000; ++tries) {
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

} // namespace nocturne::search_commands_test
