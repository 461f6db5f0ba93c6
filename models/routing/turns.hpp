// The turns of a network: pairs of channels that follow each other at a router.
#pragma once

#include "models/topology/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// By channel: its place among channels_from() of its source.
std::vector<std::uint32_t> output_positions(const Topology& topology);

/// Dense numbers 0 .. count()-1 for the pairs (channel, channel out of its target), the dependencies that
/// routes can have. A value; the topology must outlive it.
class Turns {
public:
    explicit Turns(const Topology& topology);

    std::size_t count() const { return first_.back(); }
    /// Only when follows(channel, next).
    std::size_t index(ChannelId channel, ChannelId next) const { return first_[channel] + port_[next]; }
    /// Do both channels exist, and does `next` start where `channel` ends?
    bool follows(ChannelId channel, ChannelId next) const
    {
        return channel < port_.size() && next < port_.size() &&
               topology_->channel(channel).target == topology_->channel(next).source;
    }

private:
    const Topology* topology_;
    std::vector<std::size_t>
        first_; ///< by channel: number of its turn into port 0; one more entry for the end
    std::vector<std::uint32_t> port_; ///< output_positions()
};

} // namespace nocturne
