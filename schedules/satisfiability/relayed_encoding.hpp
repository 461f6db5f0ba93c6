// Schedules in which a processor that has received a message can relay it. See encoding.hpp, which is what to
// call.
#pragma once

#include "schedules/satisfiability/candidate_paths.hpp"
#include "schedules/satisfiability/encoding.hpp"

namespace nocturne {

/// How such schedules are encoded, and how large that gets.
struct RelayedPlan {
    CandidatePaths paths;   ///< of all pairs; with flows only the pairs at one router, which no channel joins
    bool flows;             ///< over channels, for all other pairs
    std::uint64_t literals; ///< estimated; too_large: do not
};

RelayedPlan plan_relayed(const Problem& problem, unsigned steps);

Encoding encode_relayed(const Problem& problem, unsigned steps, RelayedPlan plan);

} // namespace nocturne
