#include "tests/schedules/evolution/bit_island.hpp"

#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace nocturne::test {
namespace {

constexpr std::uint32_t bits = 64;

/// Hill climbing towards a word of ones: in each generation one or two random bits change if the new word is
/// no worse.
class BitIsland final : public Island {
public:
    BitIsland(std::uint32_t number, std::uint64_t seed, Event event)
        : number_(number), random_(seed), word_(random_()), event_(std::move(event))
    {
    }

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
        for (std::uint64_t i = 0;
             i < generations_per_epoch && conflicts(word_) > 0 && !control.end.has_come(); ++i) {
            const std::uint64_t tried = word_ ^ (1ULL << random_.below(bits)) ^
                                        (std::uint64_t{random_.below(2)} << random_.below(bits));
            if (conflicts(tried) <= conflicts(word_))
                word_ = tried;
            report.generations.push_back({number_, generation_, generation_ + 1, conflicts(word_),
                                          static_cast<double>(conflicts(word_)), 0.5});
            if (event_)
                event_(number_, generation_, control);
            ++generation_;
        }
        report.emigrant.resize(sizeof word_);
        std::memcpy(report.emigrant.data(), &word_, sizeof word_);
        report.emigrant_conflicts = report.best = conflicts(word_);
        if (report.best == 0)
            report.schedule = schedule_of(ring_problem(), number_);
        return report;
    }

    std::vector<std::uint8_t> save() const override
    {
        const std::array<std::uint64_t, 3> words{random_.state(), word_, generation_};
        std::vector<std::uint8_t> bytes(sizeof words);
        std::memcpy(bytes.data(), words.data(), sizeof words);
        return bytes;
    }
    void load(std::span<const std::uint8_t> state) override
    {
        std::array<std::uint64_t, 3> words{};
        if (state.size() != sizeof words)
            throw std::runtime_error("an island of bits has 24 bytes");
        std::memcpy(words.data(), state.data(), sizeof words);
        random_ = SplitMix64(words[0]);
        word_ = words[1];
        generation_ = words[2];
    }

private:
    static std::uint64_t conflicts(std::uint64_t word)
    {
        return bits - static_cast<unsigned>(std::popcount(word));
    }

    std::uint32_t number_;
    SplitMix64 random_;
    std::uint64_t word_;
    std::uint64_t generation_ = 0;
    Event event_;
};

} // namespace

Problem ring_problem()
{
    return make_problem(make_topology("ring:4"), alltoall({4}));
}

std::vector<Step> schedule_of(const Problem& problem, std::uint32_t island)
{
    std::vector<Step> steps;
    for (MessageId message = 0; message < problem.collective.messages().size(); ++message) {
        const auto& [origin, receivers] = problem.collective.messages()[message];
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

IslandModel bit_model(std::uint32_t islands, Event event)
{
    return {"bits", fmt::format("bits {}, climb true", bits), islands,
            [event = std::move(event)](std::uint32_t island, std::uint64_t seed) {
                return std::make_unique<BitIsland>(island, seed, event);
            },
            ring_exchange};
}

Story evolve(const IslandModel& model, EvolutionOptions options)
{
    Story story;
    options.on_generation = [&](const Generation& generation) { story.generations.push_back(generation); };
    story.result = evolve_islands(ring_problem(), 12, model, options);
    return story;
}

} // namespace nocturne::test
