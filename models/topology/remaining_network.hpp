// The network that faults have left, and its numbers in those of the whole one.
#pragma once

#include "models/topology/faults.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Is the router among those that have failed?
bool has_failed(const Faults& faults, RouterId id);

/// The network that faults have left, and how its indices go together with those of the whole one.
struct RemainingNetwork {
    static constexpr std::uint32_t gone = ~0u;
    Topology topology;
    std::vector<std::uint32_t> new_processor; ///< by old index; `gone` if it is lost
    std::vector<ProcessorId> old_processor;
    std::vector<std::uint32_t> new_channel; ///< by old index; `gone` if it has failed
    std::vector<ChannelId> old_channel;
};
/// Throws std::invalid_argument if the faults disconnect the network.
RemainingNetwork remaining_network(const Topology& topology, const Faults& faults);

} // namespace nocturne
