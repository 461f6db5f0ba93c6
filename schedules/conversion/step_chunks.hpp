// Schedules of messages in steps, as schedules of chunks: for formats that know only these.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/schedule/schedule.hpp"

#include <vector>

namespace nocturne {

/// Each message is a chunk of weight 1. A wormhole path passes through the routers of other processors;
/// memories do not: there it ends and goes on with a transfer of its own (a relay, in scratch), which waits
/// for the one before. Links carry what they carried, in the order of the steps; the barriers between them
/// are left out. `network` is link_network_of(its topology). Precondition: the schedule is complete and valid
/// there.
Schedule chunks_of_steps(const Schedule& schedule, const LinkNetwork& network);

/// The channels of a transfer's path as links, and a processor's own where it is no router.
std::vector<LinkId> links_of(const Transfer& transfer, const LinkNetwork& network);

} // namespace nocturne
