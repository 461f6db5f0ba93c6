// --model as its users have it.
#include "tests/sim/cli/nocturne_process.hpp"

#include <catch2/catch.hpp>

namespace nocturne::model_option_test {

using namespace nocturne::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const std::string schedule_file = library("octagon8_aas.json");

} // namespace

TEST_CASE("replay takes the same time at both levels, and says at which it was", "[cli][model]")
{
    const Arguments arguments{"replay", schedule_file, "--bytes", "64,1KiB", "--json"};
    Arguments worm_arguments = arguments;
    worm_arguments.insert(worm_arguments.end(), {"--model", "worm"});
    const json flit = nocturne_json(arguments);
    const json worm = nocturne_json(worm_arguments);
    for (std::size_t i = 0; i < 2; ++i) {
        const json& one = flit["replays"].at(i);
        const json& other = worm["replays"].at(i);
        CHECK(one["model"] == "flit");
        CHECK(other["model"] == "worm");
        CHECK(other["time_ns"] == one["time_ns"]);
        CHECK(other["step_times_ns"] == one["step_times_ns"]);
        CHECK(other["memory_ok"] == true);
    }
    CHECK(worm["fit"] == flit["fit"]);
}

TEST_CASE("compare runs everything at the level that is asked for", "[cli][model]")
{
    const json worm = nocturne_json({"compare", schedule_file, "--bytes", "64,1KiB", "--model", "worm",
                                     "--traffic", "shifted", "--json"});
    for (const json& run : worm["runs"])
        CHECK(run["model"] == "worm");
    CHECK(worm["fit"]["t0_ns"].get<double>() == Approx(1000).epsilon(0.001));
}

TEST_CASE("traffic runs at the message level, with the same packets", "[cli][model]")
{
    const Arguments arguments{"traffic",  "mesh:4x4", "--packet-flits", "16",   "--warm-up", "500",
                              "--window", "3000",     "--drain",        "3000", "--json"};
    Arguments worm_arguments = arguments;
    worm_arguments.insert(worm_arguments.end(), {"--model", "worm"});
    const json flit = nocturne_json(arguments)["curves"][0];
    const json worm = nocturne_json(worm_arguments)["curves"][0];
    CHECK(worm["model"] == "worm");
    CHECK(worm["points"][0]["packets"] == flit["points"][0]["packets"]);
    CHECK(worm["points"][0]["average_packet_latency_cycles"].get<double>() ==
          Approx(flit["points"][0]["average_packet_latency_cycles"].get<double>()).epsilon(0.05));
}

TEST_CASE("recover of a schedule is the same at both levels, as text and as JSON", "[cli][model][recover]")
{
    const Arguments arguments{"recover", library("octagon8_aas.json"), "--fault", "link:0-1", "--at-step",
                              "2"};
    Arguments worm_arguments = arguments;
    worm_arguments.insert(worm_arguments.end(), {"--model", "worm"});
    const Outcome text = run_nocturne(worm_arguments);
    CHECK(text.status == 0);
    CHECK(says(text.out, "located", "channel 0->1, channel 1->0"));
    CHECK(says(text.out, "messages delivered", "56"));
    json flit = nocturne_json([&] {
        Arguments more = arguments;
        more.emplace_back("--json");
        return more;
    }());
    json worm = nocturne_json([&] {
        Arguments more = worm_arguments;
        more.emplace_back("--json");
        return more;
    }());
    CHECK(flit["model"] == "flit");
    CHECK(worm["model"] == "worm");
    for (json* const result : {&flit, &worm})
        for (const char* const key : {"model", "search_seconds", "made_by"})
            result->erase(key);
    CHECK(worm == flit);
}

TEST_CASE("what only the flit level can do is refused beside --model worm in one line", "[cli][model]")
{
    const auto refused = [](const Arguments& arguments, const std::string& reason) {
        const Outcome outcome = run_nocturne(arguments);
        CAPTURE(outcome.err);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, Contains(reason));
    };
    refused({"replay", schedule_file, "--model", "worms"}, "model 'worms': expected flit or worm");
    refused({"replay", schedule_file, "--model", "worm", "--svg", "a.svg"}, "--svg: takes --model flit");
    refused({"replay", schedule_file, "--model", "worm", "--background", "0.1"},
            "--background: takes --model flit");
    refused({"traffic", "mesh:2x2", "--model", "worm", "--trace", "a.csv"}, "--trace: takes --model flit");
    refused({"traffic", "mesh:2x2", "--model", "worm", "--closed-loop", "4"},
            "--closed-loop: takes --model flit");
    refused({"traffic", "mesh:4x4", "--model", "worm", "--routing", "adaptive"},
            "model worm: routing adaptive");
}

} // namespace nocturne::model_option_test
