// Schedules in which every message goes straight to its one receiver. See encoding.hpp, which is what to
// call.
#pragma once

#include "schedules/satisfiability/candidate_paths.hpp"
#include "schedules/satisfiability/encoding.hpp"

#include <optional>

namespace nocturne {

/// How such schedules are encoded, and how large that gets.
struct DirectPlan {
    std::optional<CandidatePaths> paths; ///< by message; nothing = flows over channels
    std::uint64_t literals;              ///< estimated; too_large: do not
};

DirectPlan plan_direct(const Problem& problem, unsigned steps);

Encoding encode_direct(const Problem& problem, unsigned steps, DirectPlan plan);

} // namespace nocturne
