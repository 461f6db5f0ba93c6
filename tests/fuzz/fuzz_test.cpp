// Whatever is typed and whatever is in the files: the command ends, with one line where something is wrong,
// and leaves nothing half-written. `fuzz` (in the build's folder tests/fuzz) takes as many inputs as one
// likes.
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/command_inputs.hpp"
#include "tests/fuzz/damage.hpp"
#include "tests/temporary_folder.hpp"

#include <set>

namespace nocturne::fuzz_test {

using namespace nocturne::test;

namespace {

constexpr std::chrono::seconds limit{60}; // sanitizers, and other tests beside this one

} // namespace

TEST_CASE("the command lines that the fuzzer damages are valid", "[fuzz]")
{
    const TemporaryFolder folder;
    const CommandInputs inputs(folder / "run");
    std::size_t number = 0;
    for (const CommandInput& input : inputs.valid()) {
        if (!is_tried(number++, 2))
            continue;
        const CommandRun run = run_command(input, folder / "run", limit);
        INFO(to_text(input) << run.err);
        CHECK(complaint(run).empty());
        CHECK(run.status != 2);
    }
}

TEST_CASE("damaged command lines and files are refused in one line, or taken", "[fuzz]")
{
    const std::uint64_t first = GENERATE(1u, 10'001u, 20'001u, 30'001u);
    const TemporaryFolder folder;
    const CommandInputs inputs(folder / "run");
    for (std::uint64_t seed = first; seed < first + (is_nightly() ? 1000 : 20); ++seed) {
        const CommandInput input = inputs.make(seed);
        const CommandRun run = run_command(input, folder / "run", limit);
        INFO("seed " << seed << ": " << to_text(input) << run.err);
        CHECK(complaint(run) == "");
    }
}

TEST_CASE("damage is never the same and always the same for a seed", "[fuzz]")
{
    std::set<std::string> texts;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SplitMix64 random(seed), again(seed);
        const std::string text = damage_json(R"({"a": [1, 2, {"b": "c"}], "d": 0.5})", random);
        CHECK(damage_json(R"({"a": [1, 2, {"b": "c"}], "d": 0.5})", again) == text);
        texts.insert(text);
    }
    CHECK(texts.size() > 60);
}

TEST_CASE("a run that ends badly is complained of", "[fuzz]")
{
    CHECK(complaint({.status = 139}) == "ends with status 139");
    CHECK(complaint({.status = 137, .is_over_time = true}) == "takes too long");
    CHECK(complaint({.status = 2}) == "status 2, and not one line");
    CHECK(complaint({.status = 2, .err = "nocturne: a\nb\n"}) == "status 2, and not one line");
    CHECK(complaint({.status = 2, .err = "nocturne: a\n", .left_behind = {"x.json"}}) ==
          "status 2, and writes x.json");
    CHECK(complaint({.status = 1, .err = "x.cpp:3: runtime error: signed integer overflow\n"}) ==
          "a sanitizer complains");
    CHECK(complaint({.status = 2, .err = "nocturne: a\n"}).empty());
    CHECK(complaint({.status = 1, .out = "invalid"}).empty());
}

} // namespace nocturne::fuzz_test
