// Lower bounds by exhausted search: all schedules with fewer steps have been looked at.
#pragma once

#include "schedules/bounds/bound.hpp"
#include "schedules/satisfiability/encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"

#include <optional>
#include <string>

namespace nocturne {

/// The bound steps + 1 if no schedule has as few as `steps` steps; nothing if one has, or if a limit was met first.
/// Deterministic for a conflict limit. Throws as encode().
std::optional<Bound> exhausted_bound(const Problem& problem, unsigned steps, const SolveControl& control,
                                     Proof proof = Proof::none);

/// Why `bound`, an exhausted one, does not hold for the problem, in one line; nothing if it does. Makes the formula again
/// and checks the proof; without one it solves the formula again, and gives that up after `conflicts`.
std::optional<std::string> refute_exhaustion(const Problem& problem, const Bound& bound,
                                             std::uint64_t conflicts = 1'000'000);

} // namespace nocturne
