// Events of kernels on Tenstorrent's chips, as their profiler writes them for tt-npe.
#pragma once

#include "models/traffic/rank_programs.hpp"

#include <string>

namespace nocturne {

/// Does the file begin as an array of JSON does? Throws as ByteSource.
bool is_npe_events(const std::string& path);

/// What the kernels did, as programs with servers; a cpu of a rank is a core that issues. The places are
/// those of tt-npe's workloads, see open_trace().
///
/// Between two events a core computes, as long as it took when the events were captured. A read is a request
/// of one flit, which the server of the processor that is asked answers; a write is answered in the same way
/// by an acknowledgement of one flit. Data have a header flit for each 256 of their own. A barrier, from its
/// start, is over when all that its core has asked for before has come. A multicast is a write to each place
/// of its rectangle, that of the sender too if it lies in it (RankPrograms::Operation::copies). All stays on
/// the network that the event names.
///
/// What the profiler does not write may be added to a multicast: `receivers`, places [x, y], where not all of
/// the rectangle are, as chips leave out what is no core; and `linked`, true if the next one of its core goes
/// the same way without another reservation.
///
/// Events that set up a later transfer move nothing; from them that transfer has what it does not say itself.
/// What waits for another core (semaphores), or ends without a start, takes the time that was captured; these
/// kinds of events are remarked (InputLog::remark()), with how often they occur.
///
/// Throws std::runtime_error, one line with the number of the event, counted from 1, for a file or a network
/// that is none of these, members that are missing or no numbers, a place outside the grid, several chips,
/// and what crosses from a chip to another.
RankPrograms read_npe_events(const Topology& topology, const std::string& path);

} // namespace nocturne
