// Is there a schedule that adds on its way, in S steps and R rounds? Decided by satisfiability.
#pragma once

#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/sum_formula.hpp"

namespace nocturne {

/// For all-reduce, scan, and whatever else adds: exchanges, trees, and all between, directly. Symmetric
/// schedules are looked for first, then any. "No" means: none in which a hop carries one sum of a chunk in a
/// step at most (sum_formula.hpp); its proof, if asked for, is for sum_formula() without symmetries.
///
/// `network` may have copying switches: they are used as plain ones. What is too large for
/// a formula is unknown. Throws std::invalid_argument for a shape that is none.
ExactAnswer decide_sums(const LinkNetwork& network, const Collective& collective, const ExactConfig& config);

/// What a model of the formula says, without what leads nowhere. Where what comes can be added to, or take
/// the place of, what a node has, it is; otherwise it is kept in scratch, and local transfers add it up at
/// the end of the step.
Schedule schedule_of(const SumFormula& formula, const Model& model, const LinkNetwork& network,
                     const Collective& collective);

} // namespace nocturne
