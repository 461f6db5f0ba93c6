// Schedules of whole messages in steps, as a flow.
#pragma once

#include "schedules/chunk_flows/path_rounding.hpp"
#include "schedules/schedule/schedule.hpp"

namespace nocturne {

/// The paths of its messages, each of which has one receiver. `owed` is owed_pairs(its collective).
/// Which chunk a link takes first is left to who makes a schedule of them: relayed in the order of the steps
/// a message waits at each hop for the step's other messages to come in, and steps take twice as long.
LinkFlow flow_of_steps(const Schedule& schedule, const LinkNetwork& network, const OwedPairs& owed);

} // namespace nocturne
