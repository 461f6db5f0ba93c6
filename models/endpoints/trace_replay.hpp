// An application's messages, from a trace, on the network.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/network/probing_table.hpp"
#include "models/traffic/trace.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

/// The routing in separate classes of virtual channels for so many classes of messages; by class. Only the
/// classes differ: the network is made with one of them. `base` must outlive them. Throws
/// std::invalid_argument for several where the routers decide.
std::vector<Routing> routings_by_class(const Routing& base, std::uint32_t classes);

/// Sends each message of a trace when its time has come: in its cycle, or that many cycles after the last
/// message that it waits for has arrived, wherever that was, and not before its earliest cycle. Cycle 0 of
/// the trace is cycle 1 of the simulation, the first in which anything can be sent. NetworkMessage::tag is
/// the message's number in the trace.
///
/// The trace is read while it is replayed, so many messages ahead of the first one that has not been sent:
/// what is kept are these, those that wait for others, and those that are under way. A message that would
/// have had to be sent before it is read, since those that it waits for stand more than that before it, is
/// an error, and never sent at another time.
class TraceReplay final : public MessageClient {
public:
    /// The last cycle in which a trace may send a message, and the longest time that one may wait after what
    /// it waits for; less if MessageNetwork::last_cycle() is.
    static constexpr std::uint64_t latest_cycle = std::uint64_t{1} << 40;
    static constexpr std::size_t usual_window = std::size_t{1} << 18;

    /// All that it is given must outlive it. `window`: messages that are read ahead. Throws, and lets the
    /// functions throw that run the network, what the trace throws, and std::invalid_argument, naming the
    /// message, for one of more than 2^30 flits, with a cycle after the latest, or that is read too late.
    /// `routings`: by class of messages, of routings_by_class().
    TraceReplay(MessageNetwork& network, const HardwareConfig& hardware, std::span<const Routing> routings,
                TraceReader& trace, MessageObserver& observer, std::size_t window = usual_window);
    /// The same for a list, all of which is read, in one class.
    TraceReplay(MessageNetwork& network, const HardwareConfig& hardware, const Routing& routing,
                std::span<const TraceMessage> trace, MessageObserver& observer);

    /// The first message whose turn came after the end of simulated time, if there was one: it was not sent.
    const std::optional<std::uint32_t>& out_of_time() const { return out_of_time_; }
    /// Messages of the trace, as far as it has been read, and those of them that have not arrived.
    std::uint64_t messages() const { return read_; }
    std::size_t missing() const { return open_.size(); }

    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void timer(std::uint32_t code) override;

private:
    static constexpr std::uint32_t none = ~0u;

    /// A message that has been read and has not arrived.
    struct Open {
        std::uint64_t cycle = 0;
        std::uint64_t earliest = 0;
        std::uint64_t last_arrival = 0; ///< of those that it waited for
        ProcessorId source = 0;
        ProcessorId destination = 0;
        std::uint32_t flits = 0;
        std::uint32_t number = 0;
        std::uint32_t waiting_for = 0;
        std::uint32_t of_class = 0;
        std::vector<ProcessorId> others = {}; ///< of a multicast, until it is sent
        std::uint32_t left = 1;               ///< destinations that it has not come to
        std::uint32_t first_follower = none;  ///< in followers_; of one that is not in use: the next such
    };
    struct Follower {
        std::uint32_t open; ///< in open messages
        std::uint32_t next;
    };

    void read_ahead();
    void take(const TraceMessage& message);
    void add_dependencies(std::uint32_t place, const std::vector<std::uint32_t>& after);
    std::uint32_t new_place();
    void add_follower(std::uint32_t of, std::uint32_t follower);
    void send_due();
    void send_when_due(std::uint32_t place);
    void send(std::uint32_t place);

    MessageNetwork& network_;
    const HardwareConfig& hardware_;
    const std::span<const Routing> routings_;
    std::optional<TraceList> list_;
    TraceReader& trace_;
    MessageObserver& observer_;
    const std::size_t window_;
    const std::uint64_t latest_;
    std::vector<std::uint32_t> sent_; ///< by processor: messages so far
    std::vector<Open> places_;
    std::uint32_t unused_place_ = none;
    std::vector<Follower> followers_;
    std::uint32_t unused_follower_ = none;
    ProbingTable<std::uint32_t, none, std::uint32_t> open_; ///< by number: its place
    /// Messages that wait for their cycle only, the earliest first: cycle and place.
    using OnTime =
        std::pair<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>>; ///< cycle, number, place
    std::priority_queue<OnTime, std::vector<OnTime>, std::greater<>> on_time_;
    std::vector<std::uint64_t> arrivals_; ///< of the last ones, by number modulo their count
    TraceMessage next_;
    bool is_read_ = false;   ///< to its end
    std::uint64_t read_ = 0; ///< messages
    std::optional<std::uint32_t> out_of_time_;
};

} // namespace nocturne
