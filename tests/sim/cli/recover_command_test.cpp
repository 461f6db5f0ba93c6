// `nocturne recover`: the phases of a recovery, for people and as JSON, and what it refuses.
#include "tests/sim/cli/nocturne_process.hpp"

#include <catch2/catch.hpp>

using namespace nocturne::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");

} // namespace

TEST_CASE("recover names what was lost and located, and the memories are right", "[cli][recover]")
{
    const Arguments arguments{"recover", octagon, "--fault", "link:0-1", "--at-step", "2"};
    const Outcome outcome = run_nocturne(arguments);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Contains("detect") && Contains("locate") && Contains("replay owed") &&
                                Contains("located: channel 0->1, channel 1->0") &&
                                Contains("memories   right: 56 of 56"));
    Arguments as_json = arguments;
    as_json.emplace_back("--json");
    const json result = nocturne_json(as_json);
    CHECK(result["outcome"] == "located");
    CHECK(result["memory_ok"] == true);
    CHECK(result["lost"].size() == 2);
    CHECK(result["phases"].front()["name"] == "replay");
    CHECK(result["phases"].back()["name"] == "replay owed");
}

TEST_CASE("recover tells an intermittent fault from one for good, and one that meets nothing",
          "[cli][recover]")
{
    const auto outcome = [](const Arguments& more) {
        Arguments arguments{"recover", octagon, "--json", "--fault", "link:0-1"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return nocturne_json(arguments)["outcome"];
    };
    CHECK(outcome({"--at-ns", "2816", "--until-ns", "2900"}) == "intermittent");
    CHECK(outcome({"--at-ns", "2816"}) == "located");
    CHECK(outcome({"--at-ns", "1000000"}) == "nothing lost");
}

TEST_CASE("recover refuses what makes no sense, in one line", "[cli][recover]")
{
    check_refused({"recover", octagon, "--at-step", "2"}, {"--fault is missing"});
    check_refused({"recover", octagon, "--fault", "link:0-1"}, {"--at-step or --at-ns"});
    check_refused({"recover", octagon, "--fault", "link:0-1", "--at-step", "5"}, {"--at-step 5"});
    check_refused({"recover", octagon, "--fault", "link:0-2", "--at-step", "1"}, {"link 0-2 does not exist"});
    check_refused({"recover", octagon, "--fault", "link:0-1", "--at-ns", "10", "--until-ns", "5"},
                  {"--until-ns 5"});
    check_refused({"recover", octagon, "--fault", "link:0-1", "--at-ns", "-3"}, {"fault at -3 ns"});
    check_refused({"recover", octagon, "--fault", "link:0-1", "--fault", "link:0-7", "--fault", "link:0-4",
                   "--at-ns", "3"},
                  {"the network falls apart"});
    CHECK_THAT(run_nocturne({"recover", "--help"}).out, Contains("--until-ns") && Contains("--json"));
}
