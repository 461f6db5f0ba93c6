// Probes: messages over chosen paths whose arrival says which channels work.
#pragma once

#include "models/topology/path.hpp"

#include <vector>

namespace nocturne {

/// A message of one flit.
struct Probe {
    ProcessorId source;
    ProcessorId destination;
    Path path;
};

/// The way of a message that was lost.
struct LostPath {
    ProcessorId source;
    Path path;
};

/// The channels of lost messages, ascending, less `cleared`: those that carried a message later on. A lost
/// message that took no channel makes those of its router suspects.
std::vector<ChannelId> suspected_channels(const Topology& topology, const std::vector<LostPath>& lost,
                                          const std::vector<ChannelId>& cleared);

/// Probes in steps without conflicts, each in the first that has its channels and ports free: indices of
/// `probes`.
std::vector<std::vector<std::size_t>> probe_steps(const Topology& topology, PortModel ports,
                                                  const std::vector<Probe>& probes);

} // namespace nocturne
