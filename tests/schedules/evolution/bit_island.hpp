// A toy for the driver of the islands: bits that climb to all ones.
#pragma once

#include "schedules/evolution/island.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace nocturne::test {

constexpr std::uint64_t generations_per_epoch = 5;

/// AAS on a ring of 4, which 12 steps are enough for.
Problem ring_problem();

/// AAS on the ring, one delivery a step; the first transfer tells which island found it.
std::vector<Step> schedule_of(const Problem& problem, std::uint32_t island);

/// What happens in an island after a generation, in its process.
using Event =
    std::function<void(std::uint32_t island, std::uint64_t generation, const SearchControl& control)>;

/// Islands of engine `bits`, each one word of 64 bits that climbs to all ones, in a ring. One evaluation a
/// generation.
IslandModel bit_model(std::uint32_t islands, Event event = {});

/// All that an evolution says.
struct Story {
    EvolutionResult result;
    std::vector<Generation> generations;
};

/// On the ring, with 12 steps.
Story evolve(const IslandModel& model, EvolutionOptions options);

} // namespace nocturne::test
