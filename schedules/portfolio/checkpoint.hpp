// The state of a portfolio between two tasks, as a file.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {

/// A task of a round that found nothing.
struct FinishedTask {
    std::string engine;
    unsigned steps;
    std::uint64_t tried;

    friend bool operator==(const FinishedTask&, const FinishedTask&) = default;
};

/// All that the next rounds depend on, besides problem and options.
struct SearchState {
    unsigned round = 0;    ///< rounds done
    unsigned failures = 0; ///< those of them that found nothing better
    std::uint64_t seed = 1;
    Bound bound;                                     ///< the best so far
    std::optional<Schedule> schedule = std::nullopt; ///< the best so far
    std::string engine = {};                         ///< that found it
    double seconds = 0;                              ///< spent so far
    /// Engines, and the steps that they have no way to reach.
    std::set<std::pair<std::string, unsigned>> given_up = {};
    std::vector<FinishedTask> done = {}; ///< of the round that is not over
    double cut_seconds = 0;              ///< that the first round had, if that was too short for it; else 0
    double longest_seconds = 60;         ///< effort of a task, at most
    bool is_open = false;                ///< a session has begun and not ended a task yet
};

/// Writes the whole file or nothing. Throws std::runtime_error if it cannot.
void save_checkpoint(const std::filesystem::path& path, const Problem& problem, const SearchState& state);

/// Throws std::runtime_error, one line that names the file, for one that cannot be read, is no checkpoint or
/// is cut off, belongs to another problem, or holds a schedule that is not valid or a bound that its
/// certificate or proof does not prove.
SearchState load_checkpoint(const std::filesystem::path& path, const Problem& problem);

} // namespace nocturne
