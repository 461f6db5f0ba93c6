// A path is a value: the channels from the source's router to the destination's, in order. It is empty when
// both sit at one router. Injection and ejection are not part of it: the port model accounts for them.
#pragma once

#include "models/topology/topology.hpp"

#include <vector>

namespace nocturne {

using Path = std::vector<ChannelId>;

/// Stands in a path that somebody wrote down for a hop between two routers that no channel joins.
inline constexpr ChannelId no_channel = ~0u;

/// Does `path` lead from the injection router of `source` to the ejection router of `destination`, each
/// channel starting where the one before ended? False too if a channel does not exist.
bool connects(const Topology& topology, ProcessorId source, ProcessorId destination, const Path& path);

/// The routers that a path visits, from the source's to the destination's: one more than it has channels.
std::vector<RouterId> routers_of(const Topology& topology, ProcessorId source, const Path& path);

} // namespace nocturne
