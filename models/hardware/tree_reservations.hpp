// Ways of multicasts that are reserved as a whole before anything is sent.
#pragma once

#include "models/hardware/flit.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

namespace nocturne {

/// Gives a tree all its virtual channels at once or none, in the order in which trees ask: one that waits
/// keeps those behind it from the channels that both want, so that none waits for ever. So trees do not hold
/// what others wait for, and cannot deadlock among each other however small buffers are. Routers tell the
/// source that they are ready, so a tree may be used a while after it is given; its channels are free when
/// its tail has left the source and its head would have come everywhere. Routers know nothing of this: to
/// them packets are all the same.
class TreeReservations final : public Clocked {
public:
    /// By number: virtual channels that are given together, and how many they are.
    TreeReservations(ClockDomain& domain, std::vector<unsigned> channels)
        : domain_(domain), counts_(std::move(channels)), free_(counts_)
    {
    }

    struct Tree {
        ProcessorId source = 0;
        std::vector<std::uint32_t> channels = {}; ///< each once
        Cycle head_cycles = 0; ///< from the source's router to that of the last destination
        /// The next one of the source has it if it has the same channels. Packets that follow each other like
        /// this stay in their virtual channels, so it takes all of those together.
        bool is_kept = false;
    };
    void add(PacketId packet, Tree tree);
    bool has(PacketId packet) const { return numbers_.contains(packet); }

    /// Calls `granted`, now or later, with the cycle from which on the packet may leave.
    void request(PacketId packet, std::function<void(Cycle)> granted);
    /// Its tail leaves now.
    void sent(PacketId packet);

    void on_event(std::uint32_t number, std::uint64_t) override;

private:
    struct Held {
        Tree tree;
        std::function<void(Cycle)> granted; ///< of one that waits
        Cycle leaves = 0;
        bool takes_all = false; ///< of the channels that are given together
    };
    unsigned taken_of(std::uint32_t number, std::uint32_t channel) const
    {
        return trees_[number].takes_all ? counts_[channel] : 1;
    }

    void serve();
    void give_back(std::uint32_t number);

    ClockDomain& domain_;
    const std::vector<unsigned> counts_;
    std::vector<unsigned> free_;
    std::vector<Held> trees_;
    std::vector<std::uint32_t> unused_;                   ///< numbers in trees_
    std::unordered_map<PacketId, std::uint32_t> numbers_; ///< of packets that have not left
    std::unordered_map<ProcessorId, std::uint32_t> kept_; ///< by source
    std::deque<std::uint32_t> waiting_;
};

} // namespace nocturne
