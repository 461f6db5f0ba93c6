// Schedules of messages in steps as schedules of chunks, and back.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <vector>

namespace nocturne {

// Schedules of messages in steps, as schedules of chunks: for formats that know only these.

/// Each message is a chunk of weight 1. A wormhole path passes through the routers of other processors;
/// memories do not: there it ends and goes on with a transfer of its own (a relay, in scratch), which waits
/// for the one before. Links carry what they carried, in the order of the steps; the barriers between them
/// are left out. `network` is link_network_of(its topology). Precondition: the schedule is complete and valid
/// there.
Schedule chunks_of_steps(const Schedule& schedule, const LinkNetwork& network);

/// The channels of a transfer's path as links, and a processor's own where it is no router.
std::vector<LinkId> links_of(const Transfer& transfer, const LinkNetwork& network);

// Schedules of chunks as schedules of messages in steps: for what is made for these.

/// Each chunk is a message, and each transfer one of a step: the earliest that what it waits for, the
/// channels of its path (one message a step) and the ports of the topology's default leave free, in the order
/// in which they start. So a step of several rounds becomes several, and a link of several units takes
/// several steps. Paths lead over switches, those that copy too: what one of them holds is sent by the
/// processor from which it came. Transfers that bring a processor what it has are left out, and so is what
/// happens within nodes: a processor has one place for a message, in which what comes is added or copied.
///
/// `network` is link_network_of(topology), with any defaults. Precondition: the schedule is valid there; the
/// result is valid on `topology`, wormhole. Throws std::invalid_argument, one line that says why, if there is
/// none: chunks of unequal weight, or a processor that keeps several sums of one chunk apart from each other.
Schedule steps_of_chunks(const Schedule& schedule, const Topology& topology, const LinkNetwork& network);

} // namespace nocturne
