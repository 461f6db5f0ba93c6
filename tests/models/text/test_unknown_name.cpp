#include "models/text/neighbour_words.hpp"
#include "models/text/unknown_name.hpp"
#include "tests/catch.hpp"

#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace nocturne::unknown_name_test {

const std::vector<std::string> networks{"mesh", "torus", "ring", "hypercube", "folded_hypercube", "kautz"};

TEST_CASE("a name with few slips is recognised, another one is not", "[text]")
{
    for (const auto& [text, meant] :
         std::vector<std::pair<std::string, std::string>>{{"mash", "mesh"},
                                                          {"mehs", "mesh"},
                                                          {"mes", "mesh"},
                                                          {"meshh", "mesh"},
                                                          {"MESH", "mesh"},
                                                          {"hypercubes", "hypercube"},
                                                          {"hyprecbe", "hypercube"},
                                                          {"tours", "torus"}}) {
        INFO(text);
        CHECK(nearest_name(text, networks) == meant);
    }
    for (const char* text : {"", "m", "moebius", "ms", "xyzw", "dragonfly"}) {
        INFO(text);
        CHECK(nearest_name(text, networks) == std::nullopt);
    }
    CHECK(nearest_name("mesh", {}) == std::nullopt);
}

TEST_CASE("the nearest of several names is meant, the first of equals", "[text]")
{
    const std::vector<std::string> options{"--csv", "--svg", "--steps"};
    CHECK(nearest_name("--sv", options) == "--csv");
    CHECK(nearest_name("--sgv", options) == "--svg");
    CHECK(nearest_name("--step", options) == "--steps");
}

TEST_CASE("an unknown name is told with the one that was meant, or with all", "[text]")
{
    CHECK(unknown_name("network", "tores", networks) ==
          "unknown network 'tores': did you mean 'torus'? Known are mesh, torus, ring, hypercube, "
          "folded_hypercube, kautz");
    CHECK(unknown_name("network", "x", networks) ==
          "unknown network 'x': known are mesh, torus, ring, hypercube, folded_hypercube, kautz");
    CHECK(unknown_name("network", "x", {}) == "unknown network 'x': there are none");
    CHECK(unknown_name("network", "mash", {}, networks) == "unknown network 'mash': did you mean 'mesh'?");
}

TEST_CASE("a word of another tool is answered with ours, where ours is known", "[text]")
{
    const std::vector<std::string> patterns{"uniform", "complement", "hotspot:P[+P...],SHARE"};
    CHECK(unknown_name("pattern", "bitcomp", patterns) ==
          "unknown pattern 'bitcomp': here it is 'complement' (BookSim2). Known are uniform, complement, "
          "hotspot:P[+P...],SHARE");
    CHECK(meant_name("Bit_Complement", patterns) == "here it is 'complement' (Garnet)");
    CHECK(meant_name("--injection-rate", std::vector<std::string>{"--load", "--vcs"}) ==
          "here it is '--load' (BookSim2): packets per node and cycle there unless "
          "'injection_rate_uses_flits = 1', flits here: 20-flit packets at 0.005 are --load 0.1");
    CHECK(
        meant_name("--pir", std::vector<std::string>{"--load", "--vcs"}) ==
        "here it is '--load' (Noxim): packets per node and cycle there, flits here: 20-flit packets at 0.005 "
        "are --load 0.1");
    CHECK(meant_name("-flit", std::vector<std::string>{"--flit-bytes"}) ==
          "here it is '--flit-bytes' (Noxim): bits there, bytes here");
    const std::vector<std::string> routings{"dor", "dor_random"};
    CHECK(meant_name("dim_order_bal", routings) == "here it is 'dor_random+balanced' (BookSim2)");
    CHECK(meant_name("dim_order_torus", routings) == "here it is 'dor_random+crossing' (BookSim2)");
    CHECK(meant_name("bitcomp", networks).empty());
    CHECK(meant_name("mash", networks) == "did you mean 'mesh'?");
    CHECK(find_neighbour_word("romm", networks) == nullptr); // nothing here is that
    CHECK(find_neighbour_word("", networks) == nullptr);
}

TEST_CASE("the words of a tool are told once each", "[text]")
{
    std::set<std::tuple<std::string_view, std::string_view, std::string_view>> seen;
    for (const NeighbourWord& row : neighbour_words()) {
        INFO(row.tool << ' ' << row.word);
        // What people guess (no tool) may be one word in one command, and another one in the next.
        CHECK(seen.insert({row.tool, row.word, row.tool.empty() ? row.here : ""}).second);
        CHECK(row.word != row.here);
    }
    CHECK(seen.size() > 80);
}

TEST_CASE("of many known names the first are listed, and the others counted", "[text]")
{
    std::vector<std::string> known;
    for (unsigned i = 0; i < 32; ++i)
        known.push_back("name" + std::to_string(i));
    CHECK(unknown_name("thing", "x", std::span(known).first(26)).ends_with("name24, name25"));
    CHECK(unknown_name("thing", "x", known).ends_with("name24, name25 and 6 others"));
    CHECK(
        unknown_name("thing", "nmae31", known).starts_with("unknown thing 'nmae31': did you mean 'name31'?"));
}

TEST_CASE("a long name is shortened, never inside a character", "[text]")
{
    CHECK(shortened(std::string(40, 'a')) == std::string(40, 'a'));
    CHECK(shortened(std::string(41, 'a')) == std::string(37, 'a') + "...");
    std::string umlauts;
    for (unsigned i = 0; i < 30; ++i)
        umlauts += "\xc3\xa4";
    CHECK(shortened(umlauts) == umlauts.substr(0, 36) + "...");
    CHECK(unknown_name("network", std::string(100'000, 'x'), networks).size() < 150);
}

namespace {

enum class Fruit { apple, pear };

std::string to_string(Fruit fruit)
{
    return fruit == Fruit::apple ? "apple" : "pear";
}

} // namespace

TEST_CASE("the value of a name is found by what it is called", "[text]")
{
    for (const Fruit fruit : {Fruit::apple, Fruit::pear})
        CHECK(value_named("fruit", to_string(fruit), {Fruit::apple, Fruit::pear}) == fruit);
    CHECK_THROWS_WITH(value_named("fruit", "peer", {Fruit::apple, Fruit::pear}),
                      "unknown fruit 'peer': did you mean 'pear'? Known are apple, pear");
    CHECK(index_of_name("network", "ring", networks) == 2);
}

} // namespace nocturne::unknown_name_test
