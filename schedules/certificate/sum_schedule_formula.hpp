// "There is a schedule of sums in so many steps" as a formula, for bounds of kind infeasibility of
// collectives that add and cannot be run backwards: all-reduce and scan. Nothing of a search is used here.
#pragma once

#include "schedules/certificate/cnf_formula.hpp"
#include "schedules/problem/problem.hpp"

#include <cstdint>

namespace nocturne {

/// Satisfiable if the problem has a schedule with at most `steps` steps. The same arguments make the same
/// formula, clause by clause. Its variables say:
///
///     has(t, p, m, c)       what processor p has of message m when t steps are over contains the
///                           contribution of processor c
///     sent(t, m, path)      in step t message m is sent over the path
///     comes(t, m, p, q)     in step t message m goes from p to q, over any path
///     brings(t, m, p, q, c) and the contribution of c is in it
///     replaced(t, p, m)     what comes to p in step t takes the place of what was there
/// Every clause is a rule of the definition, given beside it in the .cpp.
///
/// The problem is one that check() accepts, in 1 or more steps. Throws TooLarge (steps_formula.hpp) as soon
/// as the formula has more than `most_literals` literals, or listing paths takes as many looks.
Formula sum_schedule_formula(const Problem& problem, unsigned steps, std::uint64_t most_literals);

} // namespace nocturne
