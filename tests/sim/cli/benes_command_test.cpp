// benes as its users have it.
#include "tests/sim/cli/nocturne_process.hpp"

#include <catch2/catch.hpp>

using namespace nocturne::test;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("benes evaluates every design of a size", "[cli][benes]")
{
    const TemporaryFolder folder;
    const json result = nocturne_json({"benes", "64", "--samples", "20", "--permutations", "random,reversal",
                                       "--csv", folder / "points.csv", "--json"});
    // q = 2 (6 truncations), 4 (3), 8 (2), 64 (1); two permutations, SR and MR.
    CHECK(result["points"].size() == 48);
    CHECK(result["points"][0]["network"] == "benes:2,6");
    CHECK(result["points"][0]["mean_delay"] > 1);
    // A single crossbar takes any permutation at once.
    CHECK(result["points"][47]["mean_delay"] == 1);
    CHECK_THAT(content_of(folder / "points.csv"), Contains("network,columns,link_bits"));
    CHECK_THAT(run_nocturne({"benes", "16", "--samples", "5"}).out, Contains("lowest mean latency: benes:"));
}

TEST_CASE("benes refuses what it cannot evaluate with one line", "[cli][benes]")
{
    const auto refusal = [](const Arguments& arguments) {
        const Outcome outcome = run_nocturne(arguments);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        return outcome.err;
    };
    CHECK_THAT(refusal({"benes"}), Contains("processors is missing"));
    CHECK_THAT(refusal({"benes", "100", "--pins", "64"}), Contains("100 processors are no power"));
    CHECK_THAT(refusal({"benes", "64", "--randomization", "triple"}), Contains("'triple'"));
    CHECK_THAT(refusal({"benes", "64", "--arbitration", "oldest"}), Contains("'oldest'"));
    CHECK_THAT(refusal({"benes", "64", "--permutations", "zigzag"}), Contains("no permutation 'zigzag'"));
    CHECK_THAT(refusal({"benes", "8", "--permutations", "transpose"}), Contains("powers of four"));
    CHECK_THAT(refusal({"benes", "64", "--samples", "1"}), Contains("samples"));
    CHECK_THAT(refusal({"benes", "64", "--message-bits", "0"}), Contains("message-bits"));
}
