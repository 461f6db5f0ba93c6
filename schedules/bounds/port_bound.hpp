// What the ports of a single processor allow.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

namespace nocturne {

/// The processor that takes longest to send its own messages, each at least once, or to receive what it is
/// owed. At least 1 step: a collective has something to send.
Bound port_bound(const Problem& problem);

} // namespace nocturne
