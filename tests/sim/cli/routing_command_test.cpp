// Routings that a router chooses, and routings from files, as their users have them.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>
#include <set>

namespace nocturne::routing_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string clockwise = "file:" PROJECT_FOLDER "/examples/routes/ring_clockwise.csv";

Arguments traffic(const Arguments& more)
{
    Arguments all{"traffic", "--warm-up", "200", "--window", "2000", "--drain", "2000"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

json point_of(const Arguments& arguments)
{
    Arguments all = traffic(arguments);
    all.push_back("--json");
    return nocturne_json(all)["curves"][0]["points"][0];
}

} // namespace

TEST_CASE("routes from a file are judged, and sent by at both levels", "[cli][routing]")
{
    const json judged = nocturne_json({"topology", "ring:4", "--routing", clockwise, "--json"}, 1);
    CHECK(judged["routing"] == clockwise);
    CHECK(judged["deadlock_free"] == false);
    CHECK(nocturne_json(
              {"topology", "ring:4", "--routing", clockwise + "+layers", "--json"})["deadlock_free"] == true);
    const Outcome warned = run_nocturne(traffic({"ring:4", "--routing", clockwise, "--load", "0.02"}));
    CHECK_THAT(warned.err, Contains("can deadlock: 0->1 (vc 0) -> 1->2 (vc 0)"));
    for (const char* model : {"flit", "worm"}) {
        const json point =
            point_of({"ring:4", "--routing", clockwise + "+layers", "--load", "0.05", "--model", model});
        INFO(model);
        CHECK(point["saturated"] == false);
        CHECK(point["packets"] > 10);
    }
}

TEST_CASE("routes from a file are exported as hardware", "[cli][routing]")
{
    const TemporaryFolder folder;
    const Outcome outcome =
        run_nocturne({"export", "ring:4", "--routing", clockwise + "+layers", "--rtl", folder / "rtl"});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(std::filesystem::exists(folder / "rtl"));
}

TEST_CASE("turn models run with one virtual channel and any selection", "[cli][routing]")
{
    for (const char* routing : {"west_first", "north_last", "negative_first", "odd_even"})
        CHECK(point_of({"mesh:4x4", "--routing", routing, "--vcs", "1", "--load", "0.1"})["saturated"] ==
              false);
    std::set<double> latencies;
    for (const char* selection : {"in_turn", "credits", "random", "neighbours", "dyad"})
        latencies.insert(point_of({"mesh:4x4", "--routing", "odd_even", "--load", "0.25", "--pattern",
                                   "transpose", "--selection", selection})["average_packet_latency_cycles"]
                             .get<double>());
    CHECK(latencies.size() >= 4); // they do differ
}

TEST_CASE("ugal runs in traffic", "[cli][routing]")
{
    CHECK(point_of({"torus:4x4", "--routing", "ugal", "--load", "0.1"})["saturated"] == false);
    CHECK(point_of({"dragonfly:1,4,2", "--routing", "ugal_global:8:lgl", "--load", "0.1"})["saturated"] ==
          false);
}

TEST_CASE("points of another selection in a checkpoint are not taken", "[cli][routing]")
{
    const TemporaryFolder folder;
    const auto latency = [&](const char* selection) {
        return point_of({"mesh:4x4", "--routing", "odd_even", "--load", "0.25", "--pattern", "transpose",
                         "--checkpoint", folder / "points.json", "--selection",
                         selection})["average_packet_latency_cycles"]
            .get<double>();
    };
    const double by_credits = latency("credits");
    CHECK(latency("random") != by_credits);
    CHECK(latency("credits") == by_credits);
}

TEST_CASE("a one-way torus is routed by auto without deadlock", "[cli][routing]")
{
    const json facts = nocturne_json({"topology", "oneway_torus:10x12", "--routing", "auto", "--json"});
    CHECK(facts["routing"] == "dor+datelines");
    CHECK(facts["vc_classes"] == 2);
    CHECK(facts["deadlock_free"] == true);
    CHECK(facts["channels"] == 240);
    const TemporaryFolder folder; // a grid from a file keeps its coordinates
    CHECK(run_nocturne({"topology", "oneway_torus:3x4", "-o", folder / "torus.json"}).status == 0);
    CHECK(nocturne_json({"topology", folder / "torus.json", "--routing", "auto", "--json"})["routing"] ==
          "dor+datelines");
}

TEST_CASE("results of traffic say which routing and selection were taken", "[cli][routing]")
{
    const auto curve_of = [](const Arguments& arguments) {
        Arguments all = traffic({"mesh:4x4", "--load", "0.05", "--json"});
        all.insert(all.end(), arguments.begin(), arguments.end());
        return nocturne_json(all)["curves"][0];
    };
    const json by_default = curve_of({});
    CHECK(by_default["routing"] == "auto");
    CHECK(by_default["routing_taken"] == "dor");
    CHECK(by_default["selection"].is_null());
    CHECK(curve_of({"--routing", "adaptive"})["selection"] == "credits");
    CHECK(curve_of({"--routing", "odd_even", "--selection", "dyad"})["selection"] == "dyad");
}

} // namespace nocturne::routing_command_test
