// Which part has failed: suspects from what was lost, probes over single channels, and what their results say.
#pragma once

#include "models/routing/routing.hpp"
#include "models/topology/faults.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// A message over one suspected channel, and otherwise over channels that are not suspected.
struct Probe {
    ChannelId suspect;
    ProcessorId source;
    ProcessorId destination;
    Route route;
};

/// The channels of routes that lost messages took, ascending, less `cleared`: those that carried a message later on.
std::vector<ChannelId> suspected_channels(const std::vector<Route>& lost,
                                          const std::vector<ChannelId>& cleared);

/// The shortest way of a probe over a channel that meets no channel of `avoided` (indexed by channel; the suspect itself may be
/// among them). Nothing if there is none: then the channel cannot be told from those around it.
std::optional<Probe> make_probe(const Topology& topology, ChannelId suspect,
                                const std::vector<bool>& avoided);

/// Probes in steps without conflicts, each in the first that has its channels and ports free.
std::vector<std::vector<Probe>> probe_steps(const Topology& topology, PortModel ports,
                                            const std::vector<Probe>& probes);

/// Channels at both ends of channels that failed: what failed with them if it was a link, or a router.
std::vector<ChannelId> neighbours(const Topology& topology, const std::vector<ChannelId>& failed);

/// A router has failed if all its channels have (and it has two or more); the other failed channels have failed by
/// themselves.
Faults conclude(const Topology& topology, const std::vector<ChannelId>& failed);

} // namespace nocturne
