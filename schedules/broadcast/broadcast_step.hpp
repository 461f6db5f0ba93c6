// One step of a broadcast while it is planned: who passes which message on, and what that occupies.
#pragma once

#include "schedules/collective/chunk_sets.hpp"
#include "schedules/problem/step_table.hpp"
#include "schedules/search/relay_arcs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// A message on its way over an arc.
struct Relay {
    RelayNetwork::Arc arc;
    MessageId message;

    friend bool operator==(const Relay&, const Relay&) = default;
};

class BroadcastStep {
public:
    using Slot = std::uint32_t; ///< names a relay until it is removed

    /// The network must outlive the step.
    BroadcastStep(const RelayNetwork& network, std::size_t messages);

    /// Nothing may be in the way of the relay, its receiver must have a port left and not get the message
    /// otherwise.
    Slot add(Relay relay);
    void remove(Slot slot);
    void clear();

    const Relay& relay(Slot slot) const { return relays_[slot]; }
    /// All of them, in no particular order.
    std::vector<Relay> relays() const;
    /// What a processor receives in this step.
    std::span<const Slot> received_by(ProcessorId p) const { return holders_.holders(receive_port(p), 0); }
    const ChunkSets& incoming() const { return incoming_; }

    /// The relays that hold channels of an arc or the last port of its sender.
    struct Obstacles {
        unsigned count = 0; ///< 0, 1, or 2 for more
        Slot first = 0;     ///< one of them, if there are any
    };
    Obstacles obstacles(RelayNetwork::Arc arc) const;

private:
    ResourceId send_port(ProcessorId p) const { return channels_ + p; }
    ResourceId receive_port(ProcessorId p) const { return channels_ + network_->processor_count() + p; }

    const RelayNetwork* network_;
    std::vector<Relay> relays_; ///< by slot
    std::vector<Slot> unused_;
    ResourceId channels_;
    StepTable holders_; ///< relays on channels and at ports, in one step
    ChunkSets incoming_;
};

} // namespace nocturne
