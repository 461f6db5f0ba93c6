// The smallest set of faults that explains lost probes.
#pragma once

#include "models/topology/faults.hpp"

#include <vector>

namespace nocturne {

/// Each of `lost` has the channels of a lost probe that are not known to work, ascending, at least one; a
/// channel or a router of `routers` (with all its channels) can have failed. Returns the fewest such parts of
/// which every lost probe meets one. Where several choices are equally small, what they have in common are
/// parts of their own, and what they differ in is one entry together. Where the smallest choice takes too
/// long to find, which needs many faults that cross the same paths, each next part is the one that explains
/// most.
std::vector<Faults> smallest_faults(const Topology& topology, const std::vector<std::vector<ChannelId>>& lost,
                                    const std::vector<RouterId>& routers);

} // namespace nocturne
