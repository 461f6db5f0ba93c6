// The buffer of a virtual channel, as the two ends of its link see it: what makes credits free of events.
#pragma once

#include "models/hardware/flit.hpp"

#include <algorithm>
#include <cstdint>

namespace nocturne {

/// A place for one flit, and the news that the ends of the link leave there for each other. A sender fills
/// the places of a buffer in turn, as soon as it decides to send: the flit is in the place from then on, but
/// has arrived only at the cycle that is written beside it. A receiver empties them in turn; the credit is
/// then in the place, with the cycle from which the sender can use it. So neither a flit that others are
/// before nor a credit that no sender waits for costs an event. A component that has to wait says so in the
/// place that it waits for, and is woken by the other.
class BufferSlot {
public:
    bool is_full() const { return (stamp_ & full_bit) != 0; }
    /// Of a full one: when its flit arrives; of an empty one: from when it can be filled.
    Cycle cycle() const { return stamp_ >> flag_bits; }
    Flit flit() const { return flit_; }

    bool has_arrived(Cycle now) const { return is_full() && cycle() <= now; }
    bool has_credit(Cycle now) const { return !is_full() && cycle() <= now; }

    /// By the sender; is the receiver to be woken at the arrival?
    bool fill(Flit flit, Cycle arrival)
    {
        const bool is_awaited = (stamp_ & awaited_bit) != 0;
        flit_ = flit;
        stamp_ = arrival << flag_bits | full_bit;
        return is_awaited;
    }
    /// By the receiver; is the sender to be woken when it can use the credit?
    bool empty(Cycle usable)
    {
        const bool is_awaited = (stamp_ & awaited_bit) != 0;
        stamp_ = usable << flag_bits;
        return is_awaited;
    }
    /// By the end that waits: for a flit in an empty place, for a credit in a full one.
    void await() { stamp_ |= awaited_bit; }
    void await_no_more() { stamp_ &= ~awaited_bit; }

    // What was to happen in a cycle to come does not.
    /// By the receiver: the flit, which is still there, has arrived by then and stays.
    void put_back(Cycle arrival) { stamp_ = arrival << flag_bits | full_bit; }
    /// By the sender: the flit will not come; who awaits the next one still does.
    void take_back(Cycle usable) { stamp_ = usable << flag_bits | (stamp_ & awaited_bit); }

private:
    static constexpr unsigned flag_bits = 2;
    static constexpr std::uint64_t full_bit = 1;
    static constexpr std::uint64_t awaited_bit = 2;

    Flit flit_;
    std::uint64_t stamp_ = 0;
};

/// A buffer and the place in it whose turn it is, for one of its ends.
struct BufferCursor {
    BufferSlot* slots = nullptr;
    std::uint32_t position = 0;
    std::uint32_t depth = 0; ///< in flits

    BufferSlot& slot() const { return slots[position]; }
    /// Those without a flit, whose credits are with the sender or on their way.
    std::uint64_t places() const
    {
        return static_cast<std::uint64_t>(
            std::count_if(slots, slots + depth, [](const BufferSlot& slot) { return !slot.is_full(); }));
    }
    void advance() { position = position + 1 == depth ? 0 : position + 1; }
    void go_back() { position = position == 0 ? depth - 1 : position - 1; }
    /// Places from there to its own, at least one.
    std::uint32_t places_behind(std::uint32_t other) const
    {
        return position > other ? position - other : position + depth - other;
    }
};

/// What the virtual channels of a link share of the buffer behind it: the flits beyond the first of each.
struct SharedPlaces {
    std::uint32_t depth = 0; ///< the most flits of a virtual channel, and so its credits when it is empty
    std::uint32_t free = 0;

    /// For the next flit of a virtual channel that has so many credits, 1 or more?
    bool has_one(std::uint32_t credits) const { return free > 0 || credits == depth; }
};

} // namespace nocturne
