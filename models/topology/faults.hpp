// Networks with faults: what is left of a topology when channels, links or nodes have failed.
#pragma once

#include "models/topology/topology.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// What has failed; indices of the topology without faults.
struct Faults {
    std::vector<ChannelId> channels;
    std::vector<RouterId> routers; ///< with their processors and all their channels
};

/// `channel:00-01` (one direction, all parallel channels of it), `link:00-01` (both directions), `node:5`;
/// vertices as Topology::find_router takes them. Several faults are united. Throws std::invalid_argument
/// naming a fault that is not of these forms, or that hits what does not exist.
Faults parse_faults(const Topology& topology, std::span<const std::string> faults);

/// The network without what has failed: the other vertices keep their names, indices close up. It is called
/// `name` and the faults behind it, which `described` says. A grid and groups stay as long as all routers do,
/// control tags only as long as all channels do. Processors may be cut off: see require_connected(). Throws
/// std::invalid_argument if fewer than two processors are left.
Topology with_faults(const Topology& topology, const Faults& faults, std::string_view described);

/// Both of the above: `mesh:4x4 without link:00-01, node:5`. Without any fault the topology itself.
Topology with_faults(const Topology& topology, std::span<const std::string> faults);

/// Throws std::invalid_argument, naming the parts, if over the channels some processor does not reach some
/// other one.
void require_connected(const Topology& topology);

} // namespace nocturne
