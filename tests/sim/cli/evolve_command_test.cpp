// evolve as its users have it.
#include "tests/sim/cli/nocturne_process.hpp"

#include <catch2/catch.hpp>

using namespace nocturne::test;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("evolve counts successes and leaves a schedule that certify confirms", "[cli][evolve]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "omega.json";
    const json result =
        nocturne_json({"evolve", "omega:8", "--collective", "OAS", "--engine", "umda", "--runs", "3",
                       "--evaluations", "20000", "--history", folder / "history.csv", "--picture",
                       folder / "convergence.svg", "-o", file, "--json"});
    CHECK(result["engine"] == "umda");
    CHECK(result["steps"] == 7);
    CHECK(result["lower_bound"] == 7);
    CHECK(result["success_percent"] == 100);
    CHECK(result["runs"].size() == 3);
    CHECK(nocturne_json({"certify", file, "--json"})["optimal"] == true);
    CHECK_THAT(content_of(folder / "history.csv"),
               Contains("seed,island,generation,evaluations,best_conflicts"));
    CHECK_THAT(content_of(folder / "convergence.svg"), Contains("<svg"));
    CHECK(run_nocturne({"replay", file, "--bytes", "256"}).status == 0);
    // The schedule is where the next evolution begins.
    const json again = nocturne_json({"evolve", "omega:8", "--collective", "OAS", "--start", file, "--json"});
    CHECK(again["mean_generations"] <= 1);
}

TEST_CASE("an evolution without success says so", "[cli][evolve]")
{
    const Outcome hopeless = run_nocturne(
        {"evolve", "mesh:4x4", "--collective", "AAS", "--engine", "umda", "--evaluations", "200"});
    CHECK(hopeless.status == 1);
    CHECK_THAT(hopeless.out, Contains("0 of 1 runs"));
}

TEST_CASE("a resumed evolution ends as an uninterrupted one", "[cli][evolve]")
{
    const TemporaryFolder folder;
    const auto evolve = [&](const std::string& evaluations, const std::string& checkpoint) {
        std::vector<std::string> arguments{
            "evolve",    "omega:8", "--collective", "AAS", "--json", "--evaluations", evaluations,
            "--islands", "2",       "--epoch",      "5"};
        if (!checkpoint.empty())
            arguments.insert(arguments.end(), {"--checkpoint", checkpoint});
        Outcome outcome = run_nocturne(arguments);
        json result = json::parse(outcome.out);
        result["runs"][0].erase("seconds");
        result.erase("mean_seconds");
        return result;
    };
    const std::string checkpoint = folder / "evolution.json";
    const json whole = evolve("4000", "");
    evolve("1500", checkpoint);
    CHECK(evolve("4000", checkpoint) == whole);
}

TEST_CASE("bad evolutions get one clear line", "[cli][evolve]")
{
    const auto complaint = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"evolve", "omega:8", "--collective", "AAS"});
        const Outcome outcome = run_nocturne(arguments);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        return outcome.err;
    };
    CHECK_THAT(complaint({"--engine", "hgsa"}), Contains("hgsa cannot do AAS on omega:8"));
    CHECK_THAT(complaint({"--engine", "ga"}), Contains("umda, mboa, hgsa"));
    CHECK_THAT(complaint({"--population", "1"}), Contains("population"));
    CHECK_THAT(complaint({"--mutation", "2"}), Contains("mutation"));
    CHECK_THAT(complaint({"--slaves", "4"}), Contains("umda has no --slaves"));
    CHECK_THAT(complaint({"--without", "luck"}), Contains("luck"));
    CHECK_THAT(complaint({"--steps", "6"}), Contains("at least 7"));
    CHECK_THAT(complaint({"--runs", "2", "--checkpoint", "x.json"}), Contains("single run"));
    CHECK_THAT(complaint({"--start", SCHEDULE_LIBRARY "/octagon8_aas.json"}),
               Contains("not for AAS on omega:8"));
}
