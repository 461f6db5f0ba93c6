// The programs of an application's ranks on the network.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/network/configuration.hpp"
#include "models/traffic/rank_programs.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace nocturne {

/// Each operation begins when all that it is after is over (or has begun), in cycle 1 at the earliest. A
/// computation takes its cpu for its time, in whole cycles, and waits until it is free; a send is over when
/// the last flit has left; a receive takes the message of its source and tag that was sent first, and is
/// over when that has arrived. So what a rank does is as late as the network makes it. NetworkMessage::tag
/// is the number of the send.
class ProgramReplay final : public MessageClient {
public:
    /// All that it is given must outlive it; of check_programs(). Throws std::invalid_argument, with the
    /// line, for a message of more than 2^30 flits.
    ProgramReplay(MessageNetwork& network, const HardwareConfig& hardware, const Routing& routing,
                  const RankPrograms& programs, MessageObserver& observer);

    /// Called for each computation that takes time, when it begins, with the cycles of its begin and its end;
    /// before the network runs.
    using OnComputation =
        std::function<void(const RankPrograms::Operation&, std::uint64_t begin, std::uint64_t end)>;
    void tell_computations(OnComputation on_computation) { on_computation_ = std::move(on_computation); }

    /// Sends so far, and operations that are not over.
    std::uint64_t messages() const { return messages_; }
    std::size_t missing() const { return open_; }
    /// The line of a computation that would end after simulated time, if there is one.
    const std::optional<std::uint32_t>& out_of_time() const { return out_of_time_; }
    /// When the last operation was over.
    std::uint64_t last_end() const { return last_end_; }

    void message_sent(const NetworkMessage& message) override;
    bool takes(const NetworkMessage& request) override;
    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void timer(std::uint32_t code) override;

private:
    using Operation = RankPrograms::Operation;
    using MessageKey = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>; ///< from, to, tag
    struct Matches {
        std::deque<std::uint32_t> sends;    ///< in their order, that no receive has taken
        std::deque<std::uint32_t> receives; ///< that have begun, and wait for a send
    };
    struct Cpu {
        bool is_busy = false;
        std::deque<std::uint32_t> waiting;
    };

    void make_ready(std::uint32_t id) { ready_.push_back(id); }
    void run_ready();
    void begin(std::uint32_t id);
    void compute(std::uint32_t id);
    void send(std::uint32_t id);
    bool is_server(std::uint32_t rank) const { return rank >= first_server_; }
    void match(const MessageKey& key);
    void end(std::uint32_t id);
    void release(const std::vector<std::uint32_t>& followers);

    MessageNetwork& network_;
    const HardwareConfig& hardware_;
    const Routing& routing_;
    const std::vector<Operation>& operations_;
    const RequestServers servers_;
    const std::uint32_t first_server_; ///< rank; as many as there are: none
    MessageObserver& observer_;
    std::vector<std::uint32_t> waits_;
    std::vector<std::vector<std::uint32_t>> after_; ///< by operation: those that are after it
    std::vector<std::vector<std::uint32_t>> after_start_;
    std::deque<std::uint32_t> ready_; ///< to be begun now
    bool is_running_ = false;
    std::map<MessageKey, Matches> matches_;
    std::vector<std::uint32_t> partner_; ///< of a send that a receive has taken; none: nothing yet
    std::vector<bool> has_arrived_;      ///< by send
    std::map<std::pair<std::uint32_t, std::uint32_t>, Cpu> cpus_; ///< by rank and number
    std::vector<std::uint32_t> sent_;                             ///< by rank
    std::vector<std::uint32_t> being_served_;                     ///< likewise: requests
    std::uint64_t messages_ = 0;
    std::size_t open_;
    std::uint64_t last_end_ = 0;
    std::optional<std::uint32_t> out_of_time_;
    OnComputation on_computation_;
};

} // namespace nocturne
