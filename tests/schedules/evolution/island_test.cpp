#include "models/topology/specification.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/schedule/validator.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

using namespace nocturne;

namespace {

constexpr std::uint32_t bits = 64;
constexpr std::uint64_t generations_per_epoch = 5;

Problem ring_problem()
{
    return make_problem(make_topology("ring:4"), all_to_all_scatter(4));
}

/// AAS on a ring, one delivery a step; the first transfer tells which island found it.
std::vector<Step> schedule_of(const Problem& problem, std::uint32_t island)
{
    std::vector<Step> steps;
    for (MessageId message = 0; message < problem.collective.messages.size(); ++message) {
        const auto& [origin, receivers] = problem.collective.messages[message];
        for (const ProcessorId receiver : receivers) {
            Path path;
            for (ProcessorId at = origin; at != receiver; at = (at + 1) % 4)
                for (const ChannelId channel : problem.topology.channels_from(at))
                    if (problem.topology.channel(channel).target == (at + 1) % 4)
                        path.push_back(channel);
            steps.push_back({{message, origin, receiver, path}});
        }
    }
    std::rotate(steps.begin(), steps.begin() + island % steps.size(), steps.end());
    return steps;
}

/// Hill climbing towards a word of ones: in each generation one or two random bits change if the new word is no worse.
class BitIsland final : public Island {
public:
    BitIsland(std::uint32_t number, std::uint64_t seed) : number_(number), random_(seed), word_(random_()) {}

    EpochReport advance(std::span<const std::uint8_t> immigrant, const SearchControl& control) override
    {
        EpochReport report;
        if (!immigrant.empty()) {
            std::uint64_t other = 0;
            REQUIRE(immigrant.size() == sizeof other);
            std::memcpy(&other, immigrant.data(), sizeof other);
            if (conflicts(other) < conflicts(word_))
                word_ = other;
        }
        for (std::uint64_t i = 0; i < generations_per_epoch && conflicts(word_) > 0 && !control.is_over();
             ++i) {
            const std::uint64_t tried = word_ ^ (1ULL << random_.below(bits)) ^
                                        (std::uint64_t{random_.below(2)} << random_.below(bits));
            if (conflicts(tried) <= conflicts(word_))
                word_ = tried;
            report.generations.push_back({number_, generation_, generation_ + 1, conflicts(word_),
                                          static_cast<double>(conflicts(word_)), 0.5});
            ++generation_;
        }
        report.emigrant.resize(sizeof word_);
        std::memcpy(report.emigrant.data(), &word_, sizeof word_);
        report.emigrant_conflicts = report.best = conflicts(word_);
        if (report.best == 0)
            report.schedule = schedule_of(ring_problem(), number_);
        return report;
    }

    std::vector<std::uint8_t> save() const override { return {}; }
    void load(std::span<const std::uint8_t>) override {}

private:
    static std::uint64_t conflicts(std::uint64_t word)
    {
        return bits - static_cast<unsigned>(std::popcount(word));
    }

    std::uint32_t number_;
    SplitMix64 random_;
    std::uint64_t word_;
    std::uint64_t generation_ = 0;
};

IslandModel bit_model(std::uint32_t islands)
{
    return {
        "bits", islands,
        [](std::uint32_t island, std::uint64_t seed) { return std::make_unique<BitIsland>(island, seed); },
        ring_exchange};
}

/// All that an evolution says.
struct Story {
    EvolutionResult result;
    std::vector<Generation> generations;
};

Story evolve(const IslandModel& model, EvolutionOptions options)
{
    Story story;
    options.on_generation = [&](const Generation& generation) { story.generations.push_back(generation); };
    story.result = evolve_islands(ring_problem(), 12, model, options);
    return story;
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

    // In order of epoch, island, number; the first in the list of those with a solution in the last epoch wins.
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

TEST_CASE("the same seed gives the same evolution, another seed another", "[evolution][island]")
{
    const Story first = evolve(bit_model(3), {.seed = 5});
    CHECK(evolve(bit_model(3), {.seed = 5}).generations == first.generations);
    CHECK(evolve(bit_model(3), {.seed = 6}).generations != first.generations);
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

TEST_CASE("a deadline or a stop flag ends an evolution", "[evolution][island]")
{
    const std::atomic<bool> stop = true;
    const auto past = std::chrono::steady_clock::now();
    for (const EvolutionOptions& options :
         {EvolutionOptions{.stop = &stop}, EvolutionOptions{.deadline = past}}) {
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
