// "There is a schedule of the problem in so many steps" as a formula that can be read against the definition
// of a schedule. What a bound of kind infeasibility claims is that this formula is unsatisfiable. Nothing of
// a search is used here.
#pragma once

#include "schedules/certificate/cnf_formula.hpp"
#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

/// Satisfiable if and only if the problem has a schedule with at most `steps` steps. The same arguments make
/// the same formula, clause by clause. Its variables say:
///
///     held(t, p, m)      processor p holds message m when t steps are over
/// and, where paths are single hops (store-and-forward) or a slack limits them, for each path of each pair of
/// processors:
///     sent(t, m, path)   in step t message m is sent over the path
/// and otherwise, as there may be astronomically many paths, of each channel c:
///     carries(t, c, m)   in step t channel c carries message m
///     next(t, c, x)      in step t the transfer over channel c goes on to x: a channel, or the processor
///                        that receives
///     first(t, p, c)     in step t a transfer of processor p begins with channel c
/// Every clause is a rule of the definition, given beside it in the .cpp. Three of them say how a schedule
/// can be chosen among equally short ones; each is proven there in a sentence.
///
/// Of a problem that adds it is sum_schedule_formula().
///
/// Nothing as soon as the formula has more than `most_literals` literals, or listing paths takes as many
/// looks. The problem is one that check() accepts. Throws std::invalid_argument for 0 steps.
std::optional<Formula> schedule_formula(const Problem& problem, unsigned steps,
                                        std::uint64_t most_literals = 30'000'000);

} // namespace nocturne
