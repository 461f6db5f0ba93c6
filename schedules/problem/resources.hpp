// What each step of a schedule has a limited number of.
#pragma once

#include "models/topology/path.hpp"
#include "schedules/problem/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// Number of a channel, a send port or a receive port: the channels come first (their numbers are those of
/// the topology), then the send port of each processor, then its receive port.
using ResourceId = std::uint32_t;

inline constexpr ResourceId no_resource = ~0u;

class Resources {
public:
    explicit Resources(const Problem& problem);

    std::size_t count() const { return capacity_.size(); }
    std::size_t channel_count() const { return channels_; }
    std::size_t processor_count() const { return processors_; }
    bool is_channel(ResourceId resource) const { return resource < channels_; }
    ResourceId send_port(ProcessorId id) const { return channels_ + id; }
    ResourceId receive_port(ProcessorId id) const { return channels_ + processors_ + id; }

    /// Messages a step: 1 for a channel.
    std::uint32_t capacity(ResourceId resource) const { return capacity_[resource]; }
    const std::vector<std::uint32_t>& capacities() const { return capacity_; }
    /// Can it be the tightest? False for the ports of an all-port processor alone at its router: the channels
    /// say it all.
    bool is_scarce(ResourceId resource) const { return is_scarce_[resource]; }
    /// What a transfer holds and is scarce: the channels of its path, in their order, then ports.
    std::vector<ResourceId> held_by(const Path& path, ProcessorId source, ProcessorId destination) const;

private:
    ResourceId channels_;
    ResourceId processors_;
    std::vector<std::uint32_t> capacity_;
    std::vector<bool> is_scarce_;
};

} // namespace nocturne
