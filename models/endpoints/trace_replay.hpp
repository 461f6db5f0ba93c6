// An application's messages, from a trace, on the network.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/traffic/trace.hpp"

#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Sends each message of a trace when its time has come: in its cycle, or that many cycles after the last
/// message that it waits for has arrived, wherever that was. Cycle 0 of the trace is cycle 1 of the
/// simulation, the first in which anything can be sent. NetworkMessage::tag is the message's number in the
/// trace.
class TraceReplay final : public MessageClient {
public:
    /// The last cycle in which a trace may send a message, and the longest time that one may wait after what
    /// it waits for; less if MessageNetwork::last_cycle() is.
    static constexpr std::uint64_t latest_cycle = std::uint64_t{1} << 40;

    /// All that it is given must outlive it. Throws std::invalid_argument, naming the message, for one of
    /// more than 2^30 flits or with a cycle after the latest.
    TraceReplay(MessageNetwork& network, const HardwareConfig& hardware, const Routing& routing,
                std::span<const TraceMessage> trace, MessageObserver& observer);

    /// The first message whose turn came after the end of simulated time, if there was one: it was not sent.
    const std::optional<std::uint32_t>& out_of_time() const { return out_of_time_; }
    /// Messages that have not arrived.
    std::size_t missing() const { return trace_.size() - arrived_; }

    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void timer(std::uint32_t code) override;

private:
    void send_due();
    void send(std::uint32_t message);

    MessageNetwork& network_;
    const HardwareConfig& hardware_;
    const Routing& routing_;
    std::span<const TraceMessage> trace_;
    MessageObserver& observer_;
    std::vector<std::uint32_t> sent_;        ///< by processor: messages so far
    std::vector<std::uint32_t> on_time_;     ///< messages that wait for nothing, by time
    std::size_t next_on_time_ = 0;           ///< of those, the first one not sent
    std::vector<std::uint32_t> waiting_for_; ///< by message: how many that it waits for have not arrived
    std::vector<std::size_t>
        first_follower_; ///< by message: where its followers begin; one entry more at the end
    std::vector<std::uint32_t> followers_; ///< messages that wait for it
    std::size_t arrived_ = 0;
    std::optional<std::uint32_t> out_of_time_;
};

} // namespace nocturne
