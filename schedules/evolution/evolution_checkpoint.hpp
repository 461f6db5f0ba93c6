// The state of an evolution between two epochs, as a file.
#pragma once

#include "schedules/evolution/island.hpp"
#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace nocturne {

/// All that the next epochs depend on, besides what a checkpoint must agree with, and what has been counted
/// so far.
struct EvolutionState {
    std::uint64_t epoch = 0;                             ///< epochs done
    std::uint64_t random = 0;                            ///< state of the master's random numbers
    std::uint64_t generations = 0;                       ///< of the island that went furthest
    std::uint64_t best = 0;                              ///< conflicts of the best solution ever
    std::vector<std::uint64_t> evaluations = {};         ///< by island
    std::vector<SolutionBytes> immigrants = {};          ///< by island: what it takes in next
    std::vector<std::vector<std::uint8_t>> islands = {}; ///< what they saved
};

/// What a checkpoint must agree with.
struct EvolutionIdentity {
    const Problem& problem;
    std::string_view engine;
    std::string_view parameters; ///< IslandModel::parameters
    unsigned steps;
    std::uint64_t seed;
    std::uint32_t islands;
};

/// Writes the whole file or nothing. Throws std::runtime_error if it cannot.
void save_evolution(const std::filesystem::path& path, const EvolutionIdentity& identity,
                    const EvolutionState& state);

/// Throws std::runtime_error, one line that names the file, for one that cannot be read, is no checkpoint of
/// an evolution, is cut off or damaged, or belongs to another problem, engine, seed, number of steps or
/// islands, or to other parameters.
EvolutionState load_evolution(const std::filesystem::path& path, const EvolutionIdentity& identity);

} // namespace nocturne
