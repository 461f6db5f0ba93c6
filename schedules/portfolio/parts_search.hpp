// How many parts blocks are cut into, where nobody says.
#pragma once

#include "schedules/portfolio/chunk_engines.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace nocturne {

/// Few parts take longer to fill and drain a pipeline, many cost more start-ups: first powers of two, and for
/// sums that are made at one member each also as many parts as members, doubled, for as long as that helps;
/// then numbers around the best ones, with more work for each. A fixed sequence: it ends when it is over, and
/// a deadline cuts it.
class PartsSearch {
public:
    /// All must outlive it. `is_enough`: what there is cannot be bettered by enough to go on.
    PartsSearch(const ChunkRequest& request, ChunkEngines& engines, std::span<const Engine* const> asked,
                const BestSchedule& best, const SearchEnd& end, std::function<bool()> is_enough);

    void run();

    /// Ascending.
    std::vector<std::uint32_t> tried() const;

private:
    bool is_over() const { return end_.has_come() || is_enough_(); }
    void climb();
    void try_around_best();
    void try_parts(const PartsTask& task);

    const ChunkRequest& request_;
    ChunkEngines& engines_;
    std::span<const Engine* const> asked_;
    const BestSchedule& best_;
    const SearchEnd& end_;
    std::function<bool()> is_enough_;
    std::map<std::uint32_t, double> found_; ///< by parts: the least, in what the objective counts
};

} // namespace nocturne
