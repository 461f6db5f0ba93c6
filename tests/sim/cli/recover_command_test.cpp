// `nocturne recover`: the phases of a recovery, for people and as JSON, and what it refuses.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

namespace nocturne::recover_command_test {

using namespace nocturne::test;
using Catch::Contains;
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
                                Contains("channel 0->1, channel 1->0\n"));
    CHECK(says(outcome.out, "memory ok", "yes"));
    CHECK(says(outcome.out, "messages delivered", "56"));
    Arguments as_json = arguments;
    as_json.emplace_back("--json");
    const TemporaryFolder folder;
    as_json.insert(as_json.end(), {"--svg", folder / "phases.svg"});
    const json result = nocturne_json(as_json);
    CHECK_THAT(content_of(folder / "phases.svg"),
               Contains("<svg") && Contains(">locate, ") && Contains(">link:0-1, "));
    CHECK(result["outcome"] == "located");
    CHECK(result["memory_ok"] == true);
    CHECK(result["lost"].size() == 2);
    CHECK(result["phases"].front()["name"] == "replay");
    CHECK(result["phases"].back()["name"] == "check");
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

TEST_CASE("the help of recover has its options", "[cli][recover]")
{
    CHECK_THAT(run_nocturne({"recover", "--help"}).out,
               Contains("--until-ns") && Contains("--json") && Contains("--unscheduled"));
}

TEST_CASE("recover locates a fault of a network whose inner switches have no processors", "[cli][recover]")
{
    const json tree = nocturne_json({"recover", "--unscheduled", "fattree:8", "--collective", "AAS",
                                     "--fault", "link:l0s0-l1s0", "--at-ns", "3000", "--json"});
    CHECK(tree["located"] == json{"channel l0s0->l1s0", "channel l1s0->l0s0"});
    CHECK(tree["memory_ok"] == true);
    const json benes = nocturne_json({"recover", "--unscheduled", "benes:2,3", "--collective", "AAS",
                                      "--fault", "node:c2s1", "--at-ns", "3000", "--json"});
    CHECK(benes["located"] == json{"router c2s1"});
    CHECK(benes["memory_ok"] == true);
}

TEST_CASE("recover of an invalid schedule gives the verdict that validate gives, and status 1",
          "[cli][recover]")
{
    const TemporaryFolder folder;
    // One-port, and 0 sends twice in a step: no paths are found for it.
    const std::string file = folder.file("twice.json", R"({"format": "nocturne-schedule", "version": 1,
        "name": "twice", "topology": "omega:8", "collective": {"kind": "OAS", "source": "0"}, "ports": "1",
        "switching": "wormhole", "steps": [[{"from": "0", "to": "1"}, {"from": "0", "to": "2"}]]})");
    for (const Arguments& when : {Arguments{"--at-step", "1"}, Arguments{"--at-ns", "100"}}) {
        Arguments arguments{"recover", file, "--fault", "channel:c0s0-c1s0"};
        arguments.insert(arguments.end(), when.begin(), when.end());
        const Outcome outcome = run_nocturne(arguments);
        CHECK(outcome.status == 1);
        CHECK(outcome.out == run_nocturne({"validate", file}).out);
        CHECK(outcome.err.empty());
        arguments.emplace_back("--json");
        json judged = nocturne_json(arguments, 1);
        json validated = nocturne_json({"validate", file, "--json"}, 1);
        for (json* const document : {&judged, &validated})
            CHECK(document->erase("made_by") == 1);
        CHECK(judged == validated);
    }
}

TEST_CASE("recover without a schedule sends what is lost again over a new routing", "[cli][recover]")
{
    const Arguments arguments{"recover", "--unscheduled", "mesh:3x3", "--collective", "AAS",
                              "--fault", "link:01-11",    "--at-ns",  "2000"};
    const Outcome outcome = run_nocturne(arguments);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Contains("detect") && Contains("replay owed") &&
                                Contains("channel 01->11, channel 11->01\n") && Contains("shortest+layers"));
    CHECK(says(outcome.out, "routing", "dor"));
    CHECK(says(outcome.out, "messages delivered", "72"));
    Arguments as_json = arguments;
    as_json.emplace_back("--json");
    const json result = nocturne_json(as_json);
    CHECK(result["schedule"] == "shifted");
    CHECK(result["routing"] == "dor");
    CHECK(result["repair_routing"] == "shortest+layers");
    CHECK(result["outcome"] == "located");
    CHECK(result["memory_ok"] == true);
    CHECK(result["lost"].size() == result["deliveries_owed"]);
    CHECK(result["phases"].back()["end_ns"] == result["time_ns"]);
}

TEST_CASE("recover without a schedule takes order, routing, ports and collective", "[cli][recover]")
{
    const auto recovered = [](const Arguments& more) {
        Arguments arguments{"recover",    "--unscheduled", "--json", "--fault",
                            "link:01-11", "--at-ns",       "2000",   "mesh:3x3"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return nocturne_json(arguments);
    };
    const json binomial = recovered({"--collective", "AAB", "--traffic", "binomial", "--routing", "updown"});
    CHECK(binomial["schedule"] == "binomial");
    CHECK(binomial["routing"] == "updown");
    CHECK(binomial["memory_ok"] == true);
    const json one_port = recovered({"--collective", "OAS", "--source", "11", "--ports", "1"});
    CHECK(one_port["steps"] == 8);
    CHECK(one_port["messages_owed"] == 8);
    const json many = recovered({"--collective", "MNS", "--senders", "0,1", "--receivers", "7,8", "--traffic",
                                 "in-order+chained", "--until-ns", "2100"});
    CHECK(many["schedule"] == "in-order+chained");
    CHECK(many["messages_owed"] == 4);
    CHECK(many["outcome"] != "located");
    CHECK(recovered({"--collective", "AAS", "--traffic", "random", "--seed", "2"})["lost"] !=
          recovered({"--collective", "AAS", "--traffic", "random", "--seed", "3"})["lost"]);
}

} // namespace nocturne::recover_command_test
