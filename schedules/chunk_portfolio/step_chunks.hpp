// Schedules of whole messages in steps, as schedules of chunks: for formats that know only these.
#pragma once

#include "schedules/chunk_flows/path_rounding.hpp"
#include "schedules/chunks/chunked_schedule.hpp"
#include "schedules/schedule/schedule.hpp"

namespace nocturne {

/// Each message is a chunk of weight 1. A wormhole path passes through the routers of other processors;
/// memories do not: there it ends and goes on with a transfer of its own (a relay, in scratch), which waits
/// for the one before. Links carry what they carried, in the order of the steps; the barriers between them
/// are left out. `network` is link_network_of(its topology). Precondition: the schedule is complete and valid
/// there.
ChunkedSchedule chunks_of_steps(const Schedule& schedule, const LinkNetwork& network);

/// The paths of its messages, each of which has one receiver. `owed` is owed_pairs(its collective).
/// Which chunk a link takes first is left to who makes a schedule of them: relayed in the order of the steps
/// a message waits at each hop for the step's other messages to come in, and steps take twice as long.
LinkFlow flow_of_steps(const Schedule& schedule, const LinkNetwork& network, const OwedPairs& owed);

} // namespace nocturne
