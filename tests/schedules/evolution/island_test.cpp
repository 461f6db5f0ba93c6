#include "models/topology/files.hpp"
#include "schedules/evolution/epoch_bytes.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/evolution/bit_island.hpp"
#include "tests/schedules/workers/processes.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

namespace nocturne::island_test {

using namespace nocturne::test;
using Catch::Contains;

namespace fs = std::filesystem;

namespace {

void check_same(const EvolutionResult& a, const EvolutionResult& b)
{
    CHECK(a.schedule == b.schedule);
    CHECK(a.best == b.best);
    CHECK(a.generations == b.generations);
    CHECK(a.evaluations == b.evaluations);
}

} // namespace

TEST_CASE("islands evolve until one has solved the problem", "[evolution][island]")
{
    const std::uint32_t islands = GENERATE(1U, 2U, 5U);
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    const auto [result, generations] = evolve(bit_model(islands), {.seed = seed});
    REQUIRE(result.schedule);
    CHECK(validate(*result.schedule, ring_problem().topology).empty());
    CHECK(result.best == 0);

    // In order of epoch, island, number; the first in the list of those with a solution in the last epoch
    // wins.
    std::vector<std::uint64_t> next(islands);
    std::uint64_t epoch = 0;
    std::uint32_t island = 0;
    std::optional<std::uint32_t> winner;
    for (const Generation& generation : generations) {
        CHECK(std::pair(generation.number / generations_per_epoch, generation.island) >=
              std::pair(epoch, island));
        epoch = generation.number / generations_per_epoch;
        island = generation.island;
        CHECK(generation.number == next[island]++);
        if (generation.best == 0 && !winner)
            winner = island;
    }
    REQUIRE(winner);
    CHECK(result.schedule->steps == schedule_of(ring_problem(), *winner));
    CHECK(result.generations + 1 == *std::max_element(next.begin(), next.end()));
    CHECK(result.evaluations == std::accumulate(next.begin(), next.end(), std::uint64_t{0}));
}

TEST_CASE("no epoch begins beyond the evaluations allowed", "[evolution][island]")
{
    const std::uint64_t evaluations = GENERATE(1U, 15U, 16U, 31U);
    const EvolutionResult result = evolve(bit_model(3), {.evaluations = evaluations}).result;
    const std::uint64_t epoch = 3 * generations_per_epoch;
    CHECK(result.evaluations == (evaluations + epoch - 1) / epoch * epoch);
    CHECK_FALSE(result.schedule);
    CHECK(result.best > 0);
}

TEST_CASE("no epoch begins at or beyond the generations allowed", "[evolution][island]")
{
    // The islands of bits count generations from 0: an epoch ends at the number generations_per_epoch - 1.
    const auto epochs = [](std::uint64_t generations) {
        return evolve(bit_model(3), {.generations = generations}).result.evaluations /
               (3 * generations_per_epoch);
    };
    CHECK(epochs(1) == 1);
    CHECK(epochs(generations_per_epoch - 1) == 1);
    CHECK(epochs(generations_per_epoch) == 2);
    CHECK(epochs(2 * generations_per_epoch - 1) == 2);
    CHECK(epochs(2 * generations_per_epoch) == 3);
}

TEST_CASE("a deadline or a stop flag ends an evolution", "[evolution][island]")
{
    const std::atomic<bool> stop = true;
    const auto past = std::chrono::steady_clock::now();
    for (const EvolutionOptions& options :
         {EvolutionOptions{.end = {.stop = &stop}}, EvolutionOptions{.end = {.deadline = past}}}) {
        const auto [result, generations] = evolve(bit_model(2), options);
        CHECK_FALSE(result.schedule);
        CHECK(generations.empty());
    }
}

TEST_CASE("a ring hands each solution on to the next island", "[evolution][island]")
{
    SplitMix64 random(1);
    std::vector<EpochReport> reports(3);
    for (std::uint8_t i = 0; i < 3; ++i)
        reports[i].emigrant = {i};
    CHECK(ring_exchange(reports, random) == std::vector<SolutionBytes>{{2}, {0}, {1}});
    CHECK(ring_exchange(std::span(reports).first(1), random) == std::vector<SolutionBytes>{{}});
}

TEST_CASE("what cannot evolve is refused", "[evolution][island]")
{
    CHECK_THROWS_AS(evolve_islands(ring_problem(), 12, bit_model(0), {}), std::invalid_argument);
    IslandModel forgetful = bit_model(2);
    forgetful.exchange = [](std::span<const EpochReport>, SplitMix64&) {
        return std::vector<SolutionBytes>(1);
    };
    CHECK_THROWS_AS(evolve_islands(ring_problem(), 12, forgetful, {}), std::logic_error);
    // More steps than asked for is no solution.
    CHECK_THROWS_AS(evolve_islands(ring_problem(), 11, bit_model(1), {}), std::logic_error);
}

TEST_CASE("reports survive the way between processes", "[evolution][island]")
{
    EpochReport report{.generations = {{3, 7, 1'000'000'000'000, 5, 1.0 / 3, 0.25}, {3, 8, 9, 4, 1e300, 0}},
                       .emigrant = {1, 2, 3},
                       .emigrant_conflicts = 4,
                       .best = 3};
    if (GENERATE(false, true))
        report.schedule = schedule_of(ring_problem(), 2);
    std::vector<std::uint8_t> bytes = report_to_bytes(report);
    const EpochReport back = report_from_bytes(bytes);
    CHECK(back.generations == report.generations);
    CHECK(back.emigrant == report.emigrant);
    CHECK(back.emigrant_conflicts == 4);
    CHECK(back.best == 3);
    CHECK(back.schedule == report.schedule);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_THROWS_AS(report_from_bytes(std::span(bytes).first(length)), std::runtime_error);
    bytes.push_back(0);
    CHECK_THROWS_AS(report_from_bytes(bytes), std::runtime_error);
}

TEST_CASE("of two islands that solve it in one epoch the first in the list wins", "[evolution][island]")
{
    const unsigned workers = GENERATE(1U, 2U);
    // The seed is the same for all, and nothing is exchanged: they all get there in the same generation.
    IslandModel model = bit_model(3);
    const auto make = model.make;
    model.make = [make](std::uint32_t island, std::uint64_t) { return make(island + 1, 5); };
    model.exchange = {};
    const EvolutionResult result = evolve(model, {.workers = workers}).result;
    REQUIRE(result.schedule);
    CHECK(result.schedule->steps == schedule_of(ring_problem(), 1));
}

TEST_CASE("an evolution that is stopped after any epoch goes on as if it had not been", "[evolution][island]")
{
    const unsigned workers = GENERATE(1U, 2U);
    const std::uint64_t epoch = 3 * generations_per_epoch;
    const Story whole = evolve(bit_model(3), {.seed = 4});
    const TemporaryFolder folder;
    const fs::path checkpoint = folder / "evolution.json";
    for (std::uint64_t epochs = 1; (epochs - 1) * epoch < whole.result.evaluations; epochs += workers) {
        fs::remove(checkpoint);
        EvolutionOptions options{.seed = 4, .evaluations = epochs * epoch, .checkpoint = checkpoint};
        options.workers = workers;
        Story story = evolve(bit_model(3), options);
        REQUIRE(fs::exists(checkpoint));
        const bool is_solved = story.result.schedule.has_value();
        options.evaluations = 0;
        const Story rest = evolve(bit_model(3), options);
        check_same(rest.result, whole.result);
        // Who has solved it repeats the last epoch only.
        if (is_solved)
            CHECK(std::equal(rest.generations.rbegin(), rest.generations.rend(), whole.generations.rbegin()));
        else
            story.generations.insert(story.generations.end(), rest.generations.begin(),
                                     rest.generations.end());
        CHECK(story.generations == whole.generations);
    }
}

TEST_CASE("an evolution that is stopped within an epoch goes on from the beginning of it",
          "[evolution][island]")
{
    const unsigned workers = GENERATE(1U, 2U, 3U);
    const std::uint64_t at = GENERATE(0U, 4U, 12U, 30U);
    const Story whole = evolve(bit_model(3), {.seed = 4});
    const TemporaryFolder folder;
    const fs::path checkpoint = folder / "evolution.json";
    const SharedValues<bool> stop(1);
    // Islands see the flag in other processes, too: island 1 waits for it.
    const Event event = [&](std::uint32_t island, std::uint64_t generation, const SearchControl& control) {
        if (island != 1 || generation != at)
            return;
        stop[0] = true;
        while (!control.end.has_come())
            usleep(100);
    };
    EvolutionOptions options{
        .seed = 4, .workers = workers, .end = {.stop = &stop[0]}, .checkpoint = checkpoint};
    const Story first = evolve(bit_model(3, event), options);
    CHECK_FALSE(first.result.schedule);
    CHECK(first.result.best > 0);
    CHECK(first.generations.size() < whole.generations.size());
    options.end.stop = nullptr;
    const Story rest = evolve(bit_model(3), options);
    check_same(rest.result, whole.result);
    CHECK(std::equal(rest.generations.rbegin(), rest.generations.rend(), whole.generations.rbegin()));
    CHECK(rest.generations.front().number == at / generations_per_epoch * generations_per_epoch);
}

TEST_CASE("a deadline reaches islands in other processes", "[evolution][island]")
{
    const unsigned workers = GENERATE(1U, 2U);
    const Event event = [](std::uint32_t, std::uint64_t, const SearchControl& control) {
        while (!control.end.has_come())
            usleep(100);
    };
    const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    const Story story = evolve(bit_model(2, event), {.workers = workers, .end = {.deadline = soon}});
    CHECK_FALSE(story.result.schedule);
    CHECK(story.generations.size() <= 2); // those that began in time
}

TEST_CASE("a checkpoint that is damaged or of something else is refused in one line", "[evolution][island]")
{
    const TemporaryFolder folder;
    const fs::path checkpoint = folder / "evolution.json";
    const EvolutionOptions options{.seed = 4, .evaluations = 30, .checkpoint = checkpoint};
    evolve(bit_model(2), options);
    const std::string text = read_file(checkpoint);
    const auto refuses = [&](const IslandModel& model, const EvolutionOptions& with, const std::string& why) {
        CHECK_THROWS_MATCHES(evolve(model, with), std::runtime_error,
                             Catch::Predicate<std::runtime_error>([&](const std::runtime_error& error) {
                                 const std::string line = error.what();
                                 INFO(line);
                                 CHECK_THAT(line, Contains(checkpoint.string()) && Contains(why));
                                 return line.find('\n') == std::string::npos;
                             }));
    };

    EvolutionOptions other = options;
    other.seed = 5;
    refuses(bit_model(2), other, "of seed 4, not 5");
    refuses(bit_model(3), options, "of islands 2, not 3");
    IslandModel model = bit_model(2);
    model.engine = "words";
    refuses(model, options, "of engine bits, not words");
    model = bit_model(2);
    model.parameters = "bits 32, climb true";
    refuses(model, options, "of bits 64, not bits 32");
    model.parameters = "bits 32, climb false";
    refuses(model, options, "of bits 64, climb true, not bits 32, climb false");
    model.parameters = "words 2";
    refuses(model, options, "of bits 64, climb true, not words 2");
    const Problem star = make_problem(ring_problem().topology, scatter({4}, 0));
    CHECK_THROWS_WITH(evolve_islands(star, 12, bit_model(2), options), Contains("another problem"));
    CHECK_THROWS_WITH(evolve_islands(ring_problem(), 13, bit_model(2), options),
                      Contains("of steps 12, not 13"));

    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 3}) {
        write_file_atomically(checkpoint, text.substr(0, length));
        refuses(bit_model(2), options, "");
    }
    // Whatever is changed in it. (Some changes make no difference: those of white space.)
    for (std::size_t at = 0; at + 1 < text.size(); at += 7) {
        std::string changed = text;
        changed[at] = changed[at] == '1' ? '2' : '1';
        write_file_atomically(checkpoint, changed);
        refuses(bit_model(2), options, "");
    }
    write_file_atomically(checkpoint, text);
    CHECK_NOTHROW(evolve(bit_model(2), options));

    // A state that is whole, but not of such an island.
    IslandModel stubborn = bit_model(2);
    stubborn.make = [](std::uint32_t, std::uint64_t) -> std::unique_ptr<Island> {
        throw std::runtime_error("not mine");
    };
    refuses(stubborn, options, "not mine");
}

} // namespace nocturne::island_test
