// "There is a schedule in so many steps that adds, over these paths" as a propositional formula.
#pragma once

#include "schedules/satisfiability/candidate_paths.hpp"
#include "schedules/satisfiability/encoding.hpp"

#include <cstdint>
#include <span>

namespace nocturne {

/// About as many literals as encode_sums() makes.
std::uint64_t estimated_sum_literals(const Problem& problem, unsigned steps,
                                     std::span<const CandidatePath> paths);

/// Satisfiable if and only if the problem, of any kind, has a schedule of at most `steps` (1 or more) steps
/// over `paths`: each carries at most one chunk in a step, of which the destination adds what comes to what
/// it has, or puts it in its place. The transfers of a model begin with the last step, without what nobody
/// reads afterwards; phases are that nothing is sent. Problem and paths must outlive the encoding.
Encoding encode_sums(const Problem& problem, unsigned steps, std::span<const CandidatePath> paths);

} // namespace nocturne
