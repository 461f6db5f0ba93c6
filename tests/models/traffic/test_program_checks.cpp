// What is said of programs of ranks is what running them in every order shows.
#include "models/topology/input_log.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/program_checks.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/traffic/program_executor.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>

namespace nocturne::program_checks_test {

using test::ProgramText;

namespace {

std::vector<ProgramDefect> defects_of(const std::string& goal, const std::string& network = "mesh:2x2")
{
    const test::TemporaryFolder folder;
    const Topology topology = make_topology(network);
    return judge_programs(read_programs(folder.file("a.goal", goal)).value(), &topology).defects;
}

bool has(const std::vector<ProgramDefect>& defects, ProgramRule rule)
{
    return std::ranges::count(defects, rule, &ProgramDefect::rule) > 0;
}

/// Of a program in which rank 0 sends what rank 1 receives.
std::string pair_of(const std::string& sends, const std::string& receives)
{
    return "num_ranks 2\nrank 0 {\n" + sends + "}\nrank 1 {\n" + receives + "}\n";
}

void check_one(const std::string& goal, ProgramRule rule, std::uint32_t line, const std::string& text)
{
    const auto defects = defects_of(goal);
    REQUIRE(defects.size() == 1);
    CHECK(defects[0].rule == rule);
    CHECK(defects[0].line == line);
    CHECK(defects[0].text == text);
}

} // namespace

TEST_CASE("each defect of a program is named once, with its place", "[traffic][programs]")
{
    check_one("num_ranks 5\n", ProgramRule::unknown_rank, 1, "5 ranks for the 4 processors of mesh:2x2");
    check_one(pair_of("send 3b to 4\n", ""), ProgramRule::unknown_rank, 3,
              "rank 4 of 2 in a message of rank 0");
    check_one(pair_of("a: calc 3\na requires b\n", ""), ProgramRule::unknown_dependency, 4,
              "no operation b before this in rank 0");
    check_one(pair_of("send 3b to 1\nsend 3b to 1\n", "recv 3b from 0\n"), ProgramRule::unmatched_message, 4,
              "rank 0 sends 2 messages with tag 0 to rank 1, which receives 1");
    check_one(pair_of("send 3b to 1\n", "recv 4b from 0\n"), ProgramRule::mismatched_message, 6,
              "rank 1 receives 4 bytes with tag 0 from rank 0, which sends 3 (line 3)");
    check_one(pair_of("a: recv 1b from 1\nb: send 1b to 1\nb requires a\n",
                      "a: recv 1b from 0\nb: send 1b to 0\nb requires a\n"),
              ProgramRule::circular_wait, 3,
              "rank 0 line 3 (receive from 1, tag 0) waits for rank 1 line 9 (send to 0, tag 0), which waits "
              "for rank 1 line 8 (receive from 0, tag 0), which waits for rank 0 line 4 (send to 1, tag 0), "
              "which waits for the first");
    check_one(pair_of("a: calc 1\na irequires a\nb: calc 2\nb requires a\n", ""), ProgramRule::circular_wait,
              3, "rank 0 line 3 (computation) waits for itself");
    // Two cycles that know nothing of each other.
    CHECK(defects_of(pair_of("a: calc 1\na requires a\n", "a: calc 1\na requires a\n")).size() == 2);
    CHECK(defects_of(pair_of("send 3b to 1 tag 2\n", "recv 3b from 0 tag 3\n")).size() == 2);
    // What follows from a message that lacks is not said.
    CHECK(defects_of(pair_of("r: recv 3b from 1\ns: send 3b to 1\ns requires r\n", "recv 3b from 0\n"))
              .size() == 1);
}

TEST_CASE("messages of one tag have an order where it makes a difference", "[traffic][programs]")
{
    const std::string two = "a: send 3b to 1\nb: send 4b to 1\n";
    const std::string in_order = "a: recv 3b from 0\nb: recv 4b from 0\nb irequires a\n";
    CHECK(defects_of(pair_of(two + "b irequires a\n", in_order)).empty());
    check_one(pair_of(two, in_order), ProgramRule::mismatched_message, 4,
              "the 2 messages with tag 0 from rank 0 to rank 1 differ in size, and rank 0 sends them in no "
              "order");
    CHECK(has(defects_of(pair_of(two + "a irequires b\n", in_order)), ProgramRule::mismatched_message));

    // The answer to the first receive brings the second message: which begins first decides.
    const auto answered = [](const std::string& order) {
        return pair_of("a: send 3b to 1\nw: recv 1b from 1\nb: send 3b to 1\nb requires w\n",
                       "a: recv 3b from 0\nb: recv 3b from 0\nw: send 1b to 0\nw requires a\n" + order);
    };
    CHECK(defects_of(answered("b irequires a\n")).empty());
    check_one(
        answered(""), ProgramRule::circular_wait, 4,
        "if the order is rank 1 line 10 (receive from 0, tag 0): rank 0 line 4 (receive from 1, tag 0) "
        "waits for rank 1 line 11 (send to 0, tag 0), which waits for rank 1 line 9 (receive from 0, tag "
        "0), which waits for rank 0 line 5 (send to 1, tag 0), which waits for the first");

    // Many without an order that makes a difference are no work.
    std::string sends, receives;
    for (unsigned i = 0; i < 2000; ++i) {
        sends += "send 8b to 1\n";
        receives += "recv 8b from 0\n";
    }
    const test::TemporaryFolder folder;
    const ProgramVerdict verdict =
        judge_programs(read_programs(folder.file("a.goal", pair_of(sends, receives))).value(), nullptr);
    CHECK(verdict.defects.empty());
    CHECK(verdict.messages == 2000);
    CHECK(verdict.unordered == 2000);
}

TEST_CASE("too many orders are a defect of the order", "[traffic][programs]")
{
    // Each second message answers the receive that begins first, whichever that is: it always ends.
    std::string first, second;
    for (unsigned i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i), tag = " tag " + n + "\n";
        first += "a" + n + ": send 8b to 1" + tag + "w" + n + ": recv 8b from 1" + tag + "b" + n +
                 ": send 8b to 1" + tag + "b" + n + " requires w" + n + "\nv" + n + ": recv 8b from 1" + tag +
                 "v" + n + " irequires w" + n + "\n";
        second += "a" + n + ": recv 8b from 0" + tag + "b" + n + ": recv 8b from 0" + tag + "w" + n +
                  ": send 8b to 0" + tag + "w" + n + " requires a" + n + "\nv" + n + ": send 8b to 0" + tag +
                  "v" + n + " requires b" + n + "\n";
    }
    const auto defects = defects_of(pair_of(first, second));
    REQUIRE(defects.size() == 1);
    CHECK(defects[0].rule == ProgramRule::mismatched_message);
    CHECK_THAT(defects[0].text, Catch::Contains("not decided, there are too many orders"));
}

TEST_CASE("small programs are judged as all orders in which they can run show", "[traffic][programs]")
{
    unsigned valid = 0, stuck = 0, sometimes = 0, sizes = 0, unmatched = 0, tried = 0;
    for (unsigned seed = 0; seed < test::tries(6000, 6); ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        ProgramText program =
            test::random_program(random, 2 + seed % 2, 3 + seed % 3, seed % 5 == 0 ? 0.3 : 0.7);
        for (unsigned changes = seed % 4; changes > 0; --changes)
            test::mutate(program, random);
        const std::string goal = test::goal_of(program);
        INFO(goal);
        const test::ProgramOutcome outcome = test::outcome_of_all(program, 3000);
        if (!outcome.is_all)
            continue;
        ++tried;
        const auto defects = defects_of(goal);
        const bool is_valid = outcome.is_ended && outcome.sizes_agree && !outcome.has_leftovers;
        if (has(defects, ProgramRule::unmatched_message)) {
            ++unmatched;
            CHECK(!is_valid);
            continue; // what lacks is taken to be there
        }
        CHECK(has(defects, ProgramRule::circular_wait) == !outcome.is_ended);
        // Where sizes differ, an order that other ranks make is not looked for.
        if (!has(defects, ProgramRule::mismatched_message))
            CHECK(outcome.sizes_agree);
        else if (test::are_ordered(program) && outcome.is_ended)
            CHECK(!outcome.sizes_agree);
        if (!is_valid)
            CHECK(!defects.empty());
        valid += is_valid ? 1U : 0U;
        stuck += outcome.is_stuck ? 1U : 0U;
        sometimes += !outcome.is_ended && !outcome.is_stuck ? 1U : 0U;
        sizes += outcome.is_ended && !outcome.sizes_agree ? 1U : 0U;
    }
    CHECK(valid > tried / 10);
    CHECK(stuck > tried / 100);
    CHECK(sometimes > 0);
    CHECK(sizes > tried / 100);
    CHECK(unmatched > tried / 10);
}

TEST_CASE("no order shows a larger program other than it is judged", "[traffic][programs]")
{
    unsigned valid = 0, stuck = 0;
    for (unsigned seed = 0; seed < test::tries(300, 3); ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        ProgramText program = test::random_program(random, 2 + seed % 5, 20 + seed % 20, 0.95);
        for (unsigned changes = seed % 3; changes > 0; --changes)
            test::mutate(program, random);
        const auto defects = defects_of(test::goal_of(program), "mesh:4x4");
        valid += defects.empty() ? 1U : 0U;
        stuck += has(defects, ProgramRule::circular_wait) ? 1U : 0U;
        for (unsigned i = 0; i < 10 && defects.empty(); ++i) {
            const test::ProgramOutcome outcome = test::random_outcome(program, random);
            CHECK(outcome.is_ended);
            CHECK(outcome.sizes_agree);
            CHECK(!outcome.has_leftovers);
        }
    }
    CHECK(valid > 10);
    CHECK(stuck > 10);
}

TEST_CASE("a set of traces is found by its first file, its name or its folder", "[traffic][chakra]")
{
    const test::TemporaryFolder folder;
    const InputLog log;
    const std::string metadata("\x07\x0a\x05\x30.0.4", 8);
    const std::string first = folder.file("a.0.et", metadata);
    folder.file("a.1.et", metadata);
    for (const std::string& path : {first, folder / "a", folder / ""}) {
        const RankPrograms programs = read_programs(path).value();
        CHECK(programs.ranks == 2);
        CHECK(place_of(programs, 1, 3) == (folder / "a.1.et") + ": node 3");
    }
    CHECK(!read_programs(folder / "a.1.et"));
    folder.file("b.0.et", metadata);
    CHECK_THROWS_WITH(read_programs(folder / ""), Catch::Contains("several sets of traces"));
}

} // namespace nocturne::program_checks_test
