// Every message in the first step that has room for it: never far out, and never nothing.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// Scatters of any kind (each message has one receiver) under wormhole switching, on every network and for
/// every port model: messages go straight over minimal paths, or where there is none over as few relays as
/// can be, those with the longest way first; of a few paths each transfer takes the one on which a step is
/// free earliest. Nothing is promised of the number of steps, but where nothing better is known a search can
/// begin below it. Nothing for other problems, and for more than 2^21 messages, whose paths would not fit
/// into memory.
std::optional<Schedule> first_fit(const Problem& problem);

} // namespace nocturne
