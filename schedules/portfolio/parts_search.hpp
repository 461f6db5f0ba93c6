// How many parts blocks are cut into, where nobody says.
#pragma once

#include "schedules/portfolio/chunk_engines.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace nocturne {

/// Few parts take longer to fill and drain a pipeline, many cost more start-ups: first numbers that the
/// network and the bound suggest, then powers of two, and for sums that are made at one member each also as
/// many parts as members, doubled, for as long as that helps; then numbers around the best ones, with more
/// work for each. A fixed sequence: it ends when it is over, and a deadline cuts it.
class PartsSearch {
public:
    /// All must outlive it. `suggested`: tried first. `is_over`: the end has come, or what there is cannot
    /// be bettered by enough to go on.
    PartsSearch(const ChunkProblem& problem, std::uint64_t seed, ChunkEngines& engines,
                std::span<const Engine* const> asked, const BestSchedule& best,
                std::vector<std::uint32_t> suggested, std::function<bool()> is_over);

    void run();

    /// Ascending.
    std::vector<std::uint32_t> tried() const;

private:
    void climb();
    void try_around_best();
    void try_parts(const std::vector<PartsTask>& tasks,
                   const std::function<bool(const PartsTask&)>& is_wanted,
                   const std::function<void(double value)>& on_taken);

    std::uint32_t members_; ///< that sums are shared out to
    std::uint32_t most_parts_;
    std::uint64_t seed_;
    ChunkEngines& engines_;
    std::span<const Engine* const> asked_;
    const BestSchedule& best_;
    std::vector<std::uint32_t> suggested_;
    std::function<bool()> is_over_;
    std::map<std::uint32_t, double> found_; ///< by parts: the least, in what the objective counts
};

} // namespace nocturne
