// Decides when transfers of chunks begin: what they wait for, the order on links, steps.
#pragma once

#include "models/network/message_network.hpp"
#include "schedules/schedule/link_shares.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace nocturne {

/// Notifications between engines take no time: what a schedule without barriers assumes.
class ChunkSequencer {
public:
    struct Actions {
        std::function<void(std::uint32_t transfer)> issue;     ///< over the network
        std::function<void(std::uint32_t transfer)> carry_out; ///< within a processor, at once
    };

    /// `hold_cycles`, by transfer: from its start until it gives back its share of its links;
    /// `start_up_cycles`: from the start until it is issued.
    ChunkSequencer(const Schedule& schedule, const LinkNetwork& links, MessageNetwork& network,
                   std::vector<std::uint64_t> hold_cycles, std::uint64_t start_up_cycles, Actions actions);

    /// The first transfers, in cycle 0; before the simulation starts.
    void begin();
    /// A transfer over the network has ended.
    void arrived(std::uint32_t transfer);

    /// Of the network.
    void timer(std::uint32_t code);

    bool is_over() const { return ended_ == transfers_.size(); }
    const std::vector<std::uint64_t>& end_cycles() const { return end_cycles_; }

private:
    void plan();
    bool fills(LinkId link, std::uint32_t transfer) const; ///< all of its bandwidth
    void set_timer(std::uint64_t at, std::uint32_t event, std::uint32_t transfer);
    void start_first();
    void release(std::uint32_t transfer);
    void start_with_room(std::uint32_t transfer);
    void start_ready();
    void start(std::uint32_t transfer);
    void end(std::uint32_t transfer);
    void begin_steps();
    bool begin_step();
    void end_step(); ///< the next one can begin
    bool in_steps() const { return is_in_steps(schedule_); }
    bool is_local(std::uint32_t transfer) const { return transfers_[transfer].is_local(); }

    const Schedule& schedule_;
    const TransferList transfers_;
    const LinkNetwork& links_;
    MessageNetwork& network_;
    const std::vector<std::uint64_t> hold_cycles_;
    const std::uint64_t start_up_cycles_;
    Actions actions_;
    std::vector<std::uint32_t> waits_;                    ///< for how much, by transfer
    std::vector<std::vector<std::uint32_t>> after_end_;   ///< who waits for its end
    std::vector<std::vector<std::uint32_t>> after_hold_;  ///< who is next on a link that one of the two fills
    std::vector<std::vector<std::uint32_t>> after_start_; ///< who is next on a link that they may share
    LinkShares calendar_;
    std::vector<std::uint32_t> ready_;
    std::vector<std::uint64_t> end_cycles_;
    std::size_t ended_ = 0;
    std::size_t step_ = 0;         ///< that runs, or the first
    std::size_t open_in_step_ = 0; ///< transfers over the network that have not ended
    bool is_starting_ = false;
};

} // namespace nocturne
