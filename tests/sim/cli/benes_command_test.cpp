// benes as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

namespace nocturne::benes_command_test {

using namespace nocturne::test;
using Catch::Contains;
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
    CHECK_THAT(content_of(folder / "points.csv"),
               Contains("network,switch_size,digits,truncated,columns,link_bits"));
    CHECK_THAT(run_nocturne({"benes", "16", "--samples", "5"}).out, Contains("lowest mean latency: benes:"));
}

TEST_CASE("benes searches the worst permutations and shows references", "[cli][benes]")
{
    const Arguments arguments{"benes",
                              "16",
                              "--samples",
                              "10",
                              "--permutations",
                              "random,worst",
                              "--search-evaluations",
                              "30",
                              "--references",
                              "looping,wormhole",
                              "--reference-samples",
                              "3"};
    Arguments in_json = arguments;
    in_json.emplace_back("--json");
    const json points = nocturne_json(in_json)["points"];
    // q = 2 (4 truncations), 4 (2) and 16 (1): SR, MR, wormhole for each, looping where no column is missing.
    CHECK(points.size() == 2 * (7 * 3 + 3));
    CHECK(points[2]["randomization"] == "looping");
    CHECK(points[2]["mean_delay"] == 1);
    CHECK(points[3]["randomization"] == "wormhole");
    CHECK(points[4]["permutations"] == "worst");
    CHECK(points[4]["searched_delay"] > 1);
    const std::string text = run_nocturne(arguments).out;
    CHECK_THAT(text, Contains("identity"));
    CHECK_THAT(text, Contains("worst permutations: "));
}

TEST_CASE("benes can set circuits up for each word", "[cli][benes]")
{
    const json points =
        nocturne_json({"benes", "16", "--samples", "5", "--circuit", "word", "--json"})["points"];
    CHECK(points[0]["rounds"] == 2); // 256 bits over links of 128
    CHECK(points[0]["network_cycle_clocks"] == 8);
}

} // namespace nocturne::benes_command_test
