// How fast sums grow that all processors need whole.
#pragma once

#include "schedules/problem/problem.hpp"

namespace nocturne {

/// The fewest steps in which all processors have the sum of all their contributions to a chunk, if they have
/// one port each and some chunk asks for that (all-reduce); otherwise 0. What a processor has of a chunk is
/// one sum, whose contributions at best double in each step: n of them take at least T = ceil(log2 n) steps.
/// After T - 1 none has all n, so that in a schedule of T steps each processor adds in the last one what
/// another has and it lacks: the complement of what it has. As each sends once, sums and their complements
/// are equally many, and n is even. Where it is odd, T + 1 steps are needed.
unsigned steps_of_sum_growth(const Problem& problem);

} // namespace nocturne
