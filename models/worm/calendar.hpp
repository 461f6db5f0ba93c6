// The events of the message-level model, by the cycle in which they fall due.
#pragma once

#include "models/network/event_ring.hpp"

#include <algorithm>
#include <cstdint>

namespace nocturne {

/// Gives out one event after the other: those of one cycle in the order in which they were scheduled, except
/// that what was far ahead then comes first.
class Calendar {
    static constexpr std::uint64_t slots = 8192;
    using Ring = EventRing<std::uint32_t, slots>;

public:
    static constexpr std::uint32_t none = Ring::none;
    static constexpr std::uint64_t never = Ring::never;

    /// The cycle of the event that next() returned last, or where it stopped.
    std::uint64_t now() const { return now_; }
    bool empty() const { return next_cycle() == never; }
    /// The cycle of the first event; never if there is none.
    std::uint64_t next_cycle() const { return ring_.first(now_) != none ? now_ : ring_.next_after(now_); }

    /// An event, any number but `none`, in the present cycle or a later one.
    void schedule(std::uint64_t at, std::uint32_t event)
    {
        if (at - now_ >= slots)
            ring_.push_far(at, event);
        else
            ring_.append(at, event);
    }

    /// Takes out the first event before cycle `end`; `none` if there is none, and then it is cycle `end`, or
    /// if nothing is scheduled at all the cycle of the last event.
    std::uint32_t next(std::uint64_t end)
    {
        if (ring_.first(now_) == none) {
            if (!advance(end))
                return none;
        } else if (now_ >= end) {
            return none;
        }
        return ring_.take_first(now_);
    }

private:
    bool advance(std::uint64_t end);

    std::uint64_t now_ = 0;
    Ring ring_;
};

/// To the next cycle with an event; false if that is not before `end`.
inline bool Calendar::advance(std::uint64_t end)
{
    const std::uint64_t next = ring_.next_after(now_);
    if (next >= end) {
        if (next != never)
            now_ = std::max(now_, end);
        return false;
    }
    now_ = next;
    // Before anything else can be scheduled for their cycles.
    for (std::uint64_t at = ring_.first_far(); at != never && at - now_ < slots; at = ring_.first_far())
        ring_.append(at, ring_.take_far());
    return true;
}

} // namespace nocturne
