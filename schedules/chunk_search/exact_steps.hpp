// Is there a schedule of C chunks in S steps and R rounds? Decided by satisfiability.
#pragma once

#include "schedules/certificate/step_formula.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace nocturne {

struct ExactConfig {
    StepsAndRounds shape{1, 1};
    std::uint64_t conflicts = 0; ///< of the solver in all; 0 = no limit
    SearchEnd end = {};
    Proof proof = Proof::none; ///< of unsatisfiability
};

struct ExactAnswer {
    Verdict verdict = Verdict::unknown;
    std::optional<Schedule> schedule = std::nullopt; ///< in steps, valid, if satisfiable
    /// If unsatisfiable and asked for: DRAT for step_formula() without orbits, which refute_proof() checks.
    std::string proof = {};
    std::uint64_t conflicts = 0;
};

/// Symmetric schedules are looked for first, under groups that move every processor: their formulas are
/// smaller, and satisfiable ones are often so symmetrically. A part of the conflicts is theirs; "no" is only
/// said of the formula without symmetry. Collectives that add are turned round first (see
/// turned_network.hpp). What is too large for a formula is unknown. Throws std::invalid_argument as
/// step_formula(), and for collectives that neither copy only nor are turned round into such (all-reduce,
/// scan: see exact_sums.hpp).
ExactAnswer decide_steps(const LinkNetwork& network, const Collective& collective, const ExactConfig& config);

/// What a model of the formula says, without transfers that lead nowhere, and without empty steps.
Schedule schedule_of(const StepFormula& formula, const Model& model, const LinkNetwork& network,
                     const Collective& collective);

} // namespace nocturne
