// Schedules of reductions in steps.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

// Sums in rounds that double what each processor's sum has: recursive doubling.

/// All-reduce and scan among all processors. In round k of an all-reduce processor i and processor i XOR 2^k
/// send each other their sums (recursive doubling: Thakur, Rabenseifner and Gropp, Int. J. High Performance
/// Computing Applications 19, 2005); those beyond the largest power of two hand theirs over to a partner
/// before and have the result copied back after. In round k of a scan processor i sends its sum to i + 2^k
/// (Hillis and Steele, CACM 29, 1986). A round takes as many steps as its paths need: where they do not fit
/// into one, each pair of an all-reduce exchanges in one step, and a processor of a scan sends before, or
/// when, something comes to it. Nothing for other problems, and where a transfer has no path, under a slack
/// or store-and-forward switching no allowed one.
std::optional<Schedule> doubling(const Problem& problem);

// Schedules run backwards.

/// The steps in reverse order, each transfer back over its path, for `problem`: a schedule of
/// turned(`problem`) (copying_problem.hpp) becomes one of `problem`, that adds where the other one has fanned
/// out. Valid if that one is, since no processor has contributed nothing. Precondition: it is complete.
Schedule run_backwards(const Schedule& schedule, const Problem& problem);

} // namespace nocturne
