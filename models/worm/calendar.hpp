// The events of the message-level model, by the cycle in which they fall due.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace nocturne {

/// A calendar queue: a ring of lists for the cycles to come, and a heap for what comes later. Events of one
/// cycle come in the order in which they were scheduled, except that those from the heap come first. Memory
/// follows the events that are due.
class Calendar {
public:
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    Calendar()
    {
        first_.fill(none);
        last_.fill(none);
    }

    /// The cycle of the event that next() returned last, or where it stopped.
    std::uint64_t now() const { return now_; }
    bool empty() const { return events_ == 0; }
    /// The cycle of the first event; never if there is none.
    std::uint64_t next_cycle() const;

    /// An event, any number but `none`, in the present cycle or a later one.
    void schedule(std::uint64_t at, std::uint32_t event)
    {
        ++events_;
        if (at - now_ >= slots) {
            far_.push({at, far_order_++, event});
            return;
        }
        append(at, event);
    }

    /// Takes out the first event before cycle `end`; `none` if there is none, and then it is cycle `end`, or
    /// if nothing is scheduled at all the cycle of the last event.
    std::uint32_t next(std::uint64_t end)
    {
        std::uint32_t entry = first_[now_ % slots];
        if (entry == none) {
            if (!advance(end))
                return none;
            entry = first_[now_ % slots];
        } else if (now_ >= end) {
            return none;
        }
        const std::uint64_t slot = now_ % slots;
        first_[slot] = entries_[entry].next;
        if (first_[slot] == none)
            occupied_[slot / 64] &= ~(1ull << (slot % 64));
        const std::uint32_t event = entries_[entry].event;
        entries_[entry].next = unused_;
        unused_ = entry;
        --events_;
        return event;
    }

private:
    struct Entry {
        std::uint32_t event;
        std::uint32_t next;
    };
    struct FarEvent {
        std::uint64_t at;
        std::uint64_t order;
        std::uint32_t event;
        bool operator<(const FarEvent& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };
    static constexpr std::uint64_t slots = 8192; ///< a power of two

    void append(std::uint64_t at, std::uint32_t event)
    {
        std::uint32_t entry = unused_;
        if (entry == none) {
            entry = static_cast<std::uint32_t>(entries_.size());
            entries_.push_back({});
        } else {
            unused_ = entries_[entry].next;
        }
        entries_[entry] = {event, none};
        const std::uint64_t slot = at % slots;
        if (first_[slot] == none) {
            first_[slot] = entry;
            occupied_[slot / 64] |= 1ull << (slot % 64);
        } else {
            entries_[last_[slot]].next = entry;
        }
        last_[slot] = entry;
    }

    bool advance(std::uint64_t end);
    std::uint64_t next_occupied() const;

    std::uint64_t now_ = 0;
    std::uint64_t events_ = 0;
    std::uint32_t unused_ = none; ///< first entry that is free
    std::vector<Entry> entries_;
    std::array<std::uint32_t, slots> first_;
    std::array<std::uint32_t, slots> last_; ///< only where there is a first
    std::array<std::uint64_t, slots / 64> occupied_{};
    std::priority_queue<FarEvent> far_;
    std::uint64_t far_order_ = 0;
};

} // namespace nocturne
