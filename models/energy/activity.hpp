// What moved in a network, and what that was in each router: what energy is spent on.
#pragma once

#include "models/topology/port_model.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// What a link has carried.
struct LinkActivity {
    std::uint64_t flits = 0;
    std::uint64_t packets = 0; ///< whose head it took

    friend bool operator==(const LinkActivity&, const LinkActivity&) = default;
};

/// A run, from its beginning to the empty network. Links are numbered as in the hardware: the topology's
/// channels, then the injection links of each processor, then the ejection links of each.
struct Activity {
    std::vector<LinkActivity> links;
    std::uint64_t cycles = 0;
};

/// Counts of an input-buffered router, in flits but for the virtual channels.
struct RouterActivity {
    std::uint64_t buffer_writes = 0;
    std::uint64_t buffer_reads = 0;
    std::uint64_t crossbar_traversals = 0;
    std::uint64_t switch_grants = 0; ///< arbitrations that a flit won
    std::uint64_t vc_grants = 0;     ///< arbitrations that a packet won

    friend bool operator==(const RouterActivity&, const RouterActivity&) = default;
};

/// By router: every flit that comes is written, and every flit that leaves is granted the switch, read, and
/// moved through the crossbar. Arbitrations that are lost, and look-ups of routes, are not counted. Throws
/// std::invalid_argument if the activity is of another number of links than the network has under the port
/// model.
std::vector<RouterActivity> router_activity(const Topology& topology, PortModel ports,
                                            const Activity& activity);

} // namespace nocturne
