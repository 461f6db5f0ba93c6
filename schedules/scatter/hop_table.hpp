// Who takes which hop in which step: the state of a store-and-forward schedule in progress.
#pragma once

#include "schedules/problem/step_table.hpp"
#include "schedules/schedule/schedule.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// One hop that messages can take.
struct ProcessorHop {
    ProcessorId from;
    ProcessorId to;
    ChannelId channel; ///< no_channel between processors of one router
    std::array<ResourceId, 3>
        resources; ///< send port, receive port and channel, the last one only with a channel
};

/// All hops of a network, by their first processor.
class ProcessorHops {
public:
    ProcessorHops(const Topology& topology, const Resources& resources);

    std::span<const ProcessorHop> all() const { return hops_; }
    /// Those from a processor are [first(id), first(id + 1)).
    std::uint32_t first(ProcessorId id) const { return first_[id]; }
    /// Fewest hops from each processor to `receiver`; `unreachable` if there is no way.
    std::vector<std::uint32_t> distances_to(ProcessorId receiver) const;

private:
    std::vector<ProcessorHop> hops_;
    std::vector<std::uint32_t> first_;
};

/// A message takes hop `hop` (an index over all hops) in `step`.
struct TimedHop {
    std::uint32_t step;
    std::uint32_t hop;
};

/// The messages that hold channels and ports, by step.
class HopTable {
public:
    using Weight = std::int32_t; ///< of a message: 1 or more

    /// The hops must outlive the table.
    HopTable(const Resources& resources, const ProcessorHops& hops, std::uint32_t steps,
             std::size_t messages);

    std::span<const TimedHop> route(MessageId message) const { return routes_[message]; }
    Weight weight(MessageId message) const { return weight_[message]; }
    void bump_weight(MessageId message) { ++weight_[message]; }

    /// The weight of the messages that would have to go before another one takes the hop; 0 if there is room.
    Weight price(TimedHop hop) const;
    /// The lightest message in the way of the hop; no_message if there is room.
    MessageId in_the_way(TimedHop hop) const;
    /// There must be room for all hops.
    void put(MessageId message, std::span<const TimedHop> route);
    void remove(MessageId message);

private:
    std::span<const ResourceId> held_by(std::uint32_t hop) const
    {
        const ProcessorHop& taken = hops_->all()[hop];
        return std::span(taken.resources).first(taken.channel == no_channel ? 2 : 3);
    }
    MessageId lightest(ResourceId resource, std::uint32_t step) const;

    const ProcessorHops* hops_;
    StepTable holders_;          ///< messages
    std::vector<Weight> weight_; ///< by message
    std::vector<std::vector<TimedHop>> routes_;
};

} // namespace nocturne
