// Schedules run backwards.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

namespace nocturne {

/// The steps in reverse order, each transfer back over its path, for `problem`: a schedule of
/// turned(`problem`) (copying_problem.hpp) becomes one of `problem`, that adds where the other one has fanned
/// out. Valid if that one is, since no processor has contributed nothing. Precondition: it is complete.
Schedule run_backwards(const Schedule& schedule, const Problem& problem);

} // namespace nocturne
