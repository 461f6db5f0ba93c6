// Lower bounds by proof that no schedule has fewer steps. What is proven is the checker's own formula
// (schedule_formula.hpp), so that the proof is all that it needs.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/satisfiability/satisfiability.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// How a search for a higher bound ended.
struct InfeasibilitySearch {
    /// Is there a schedule of so few steps? Nothing: not tried, as the formula would be too large.
    std::optional<Verdict> verdict = std::nullopt;
    std::optional<Bound> bound = std::nullopt; ///< if unsatisfiable: steps + 1, with its proof
    std::uint64_t conflicts = 0;
};

/// Has no schedule as few as `steps` steps? Deterministic for a conflict limit. Throws std::invalid_argument
/// for 0 steps.
InfeasibilitySearch infeasibility_bound(const Problem& problem, unsigned steps, const SolveControl& control);

/// The bound steps + 1 that `proof`, DRAT, proves; `how` ends its reason: `engine exact, 131 conflicts`.
Bound proven_bound(const Problem& problem, unsigned steps, std::string_view how, std::string proof);

} // namespace nocturne
