// The state of a portfolio between two rounds, as a file.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace nocturne {

/// All that the next rounds depend on, besides problem and options.
struct SearchState {
    unsigned round = 0;    ///< rounds done
    unsigned failures = 0; ///< those of them that found nothing better
    std::uint64_t seed = 1;
    Bound bound;                                     ///< the best so far; meaningful once round > 0
    std::optional<Schedule> schedule = std::nullopt; ///< the best so far
    std::string engine = {};                         ///< that found it
    double seconds = 0;                              ///< spent so far
};

/// Writes the whole file or nothing. Throws std::runtime_error if it cannot.
void save_checkpoint(const std::filesystem::path& path, const Problem& problem, const SearchState& state);

/// Throws std::runtime_error, one line that names the file, for one that cannot be read, is no checkpoint or is cut off,
/// belongs to another problem, or holds a schedule that is not valid or a bound that its certificate does not prove.
SearchState load_checkpoint(const std::filesystem::path& path, const Problem& problem);

} // namespace nocturne
