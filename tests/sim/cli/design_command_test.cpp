// design as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace nocturne::design_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("a designed network goes through every other command", "[cli][design]")
{
    const TemporaryFolder folder;
    const std::string network = folder / "design.json";
    const json found =
        nocturne_json({"design", "16", "--links", "3", "--exchanges", "20000", "-o", network, "--json"});
    CHECK(found["topology"] == "design:16,3");
    CHECK(found["channels"] == 48);
    CHECK(
        found["terms"][0] ==
        json{{"term", "average latency"}, {"weight", 1.0}, {"value", 2.0625}, {"bound", 2.0625}}); // Moore's

    const std::string schedule = folder / "schedule.json";
    CHECK(nocturne_json({"bound", network, "--collective", "AAS", "--json"})["lower_bound"] < 16);
    CHECK(nocturne_json({"schedule", network, "--collective", "AAS", "-o", schedule, "--json"})["steps"] <
          16); // the octagon and the 2x8 torus, of as many links a node, cannot do with fewer
    CHECK(nocturne_json({"certify", schedule, "--json"})["valid"] == true);
    CHECK(run_nocturne({"validate", schedule, "--topology", network}).status == 0);
    CHECK(run_nocturne({"replay", schedule, "--topology", network, "--bytes", "64"}).status == 0);
    CHECK(run_nocturne({"compare", schedule, "--topology", network, "--bytes", "64,256"}).status == 0);
    CHECK(run_nocturne({"traffic", network, "--load", "0.1", "--vcs", "4", "--window", "1000"}).status == 0);
    const json measured = nocturne_json({"topology", network, "--measure", "--json"});
    CHECK(measured["measures"]["latency"]["average_with_self_hops"] == 2.0625);
}

TEST_CASE("wires are no longer than allowed, and written with the network", "[cli][design]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "design.json";
    nocturne_json({"design", "12", "--links", "4", "--arrangement", "backplane", "--longest-wire", "4",
                   "--exchanges", "2000", "-o", file, "--json"});
    const json measures = nocturne_json({"topology", file, "--measure", "--json"})["measures"];
    CHECK(measures["wires"]["maximum_units"] <= 4);
    CHECK(measures["wires"]["total_units"] > 0);
}

TEST_CASE("gappin writes a line for each generation", "[cli][design]")
{
    const TemporaryFolder folder;
    const std::string history = folder / "history.csv";
    const json found =
        nocturne_json({"design", "8", "--links", "3", "--engine", "gappin", "--generations", "30",
                       "--population", "40", "--distinct", "--history", history, "--json"});
    CHECK(found["terms"][0]["value"] == 1.375); // as printed
    CHECK(found["terms"][1]["value"] == 2);
    const std::string text = content_of(history);
    CHECK_THAT(text, Contains("generation,best_cost,median_cost,mean_age,maximum_age,best_average_latency"));
    CHECK(std::ranges::count(text, '\n') == 32);
}

TEST_CASE("a design is ranked among the conceptual networks of its size", "[cli][design]")
{
    const json found = nocturne_json(
        {"design", "8", "--links", "3", "--exchanges", "2000", "--rank", "--search-budget", "1", "--json"});
    std::vector<std::string> names;
    for (const json& row : found["networks"])
        names.push_back(row["network"]);
    for (const char* const name : {"design:8,3", "ring:8", "hypercube:3", "octagon:8", "debruijn:2,3"})
        CHECK(std::ranges::find(names, name) != names.end());
    CHECK(found["places"].size() == found["networks"].size());
}

TEST_CASE("a design with fewer links than were asked for says so", "[cli][design]")
{
    const Outcome outcome = run_nocturne({"design", "9", "--links", "4", "--arrangement", "grid",
                                          "--longest-wire", "1", "--exchanges", "10", "--json"});
    const std::string remark =
        "design:9,4: 24 of 36 channels: some nodes have fewer links than were asked for";
    CHECK(outcome.err == "nocturne: " + remark + "\n");
    const json found = json::parse(outcome.out);
    CHECK(found["channels"] == 24); // those of a mesh
    CHECK(found["made_by"]["remarks"] == json::array({remark}));
}

TEST_CASE("steps of schedules can be what a network is designed for", "[cli][design]")
{
    const json found = nocturne_json({"design", "6", "--links", "3", "--weight", "scatter-steps=1",
                                      "--weight", "broadcast-steps=1", "--exchanges", "50", "--json"});
    REQUIRE(found["terms"].size() == 2);
    // Of 30 messages 18 go over one link, and 12 over two at least, with 18 channels.
    CHECK(found["terms"][0]["value"].get<double>() == Approx(42.0 / 18));
    CHECK(found["terms"][1]["value"] == 2); // 5 messages over 3 links
}

TEST_CASE("one-way links there and back, which measures take for one, are remarked", "[cli][design]")
{
    const auto notes = [](const char* nodes, const char* links) {
        return run_nocturne({"design", nodes, "--links", links, "--one-way", "--exchanges", "100"}).err;
    };
    CHECK_THAT(notes("5", "3"), Contains("design:5,3: 6 pairs of one-way links lead there and back"));
    CHECK(notes("9", "1").empty()); // a ring
}

} // namespace nocturne::design_command_test
