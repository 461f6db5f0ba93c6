// What bounds bound and engines solve: a collective on a network, and how messages may travel.
#pragma once

#include "models/routing/switching.hpp"
#include "models/topology/topology.hpp"
#include "schedules/collective/collective.hpp"

#include <optional>
#include <string>

namespace nocturne {

/// Find a schedule with the fewest steps for `collective` on `topology`, faults included.
struct Problem {
    Topology topology;
    Collective collective;
    PortModel ports;
    Switching switching = Switching::wormhole;
    /// Most hops of a path beyond a minimal one; nothing = any path. See forbids_relays() for what it
    /// means for relays.
    std::optional<unsigned> slack = std::nullopt;
};

/// The problem with the port model that the topology has by default. Throws as check().
Problem make_problem(Topology topology, Collective collective);

/// Throws std::invalid_argument, one line, if the problem cannot be posed: the collective is for another
/// number of processors, a receiver that its message cannot get to even over relays (named), or
/// store-and-forward switching with a slack.
void check(const Problem& problem);

/// `AAS in 2 chunks among 4 processors`, where the chunks are not 1 and the processors not all. Cut into so
/// many `parts`; 1: as it is.
std::string describe(const Collective& collective, std::uint32_t parts = 1);

/// `AAS in 2 chunks among 4 processors on mesh:4x4, all-port, wormhole, minimal paths`: how messages name it.
std::string describe(const Problem& problem);

/// A short mark that tells problems apart: the whole problem, channel by channel and message by message, in
/// 16 hexadecimal digits.
std::string digest(const Problem& problem);

} // namespace nocturne
