// Events by the cycle in which they fall due.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace nocturne {

/// A calendar queue: a ring of lists for as many cycles to come as there are `slots`, a power of two, and a
/// heap for what comes later. The lists keep the order in which events were scheduled, and so does the heap.
/// Memory follows the events that are due at once.
template <typename Event, std::uint64_t slots>
class EventRing {
public:
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    /// An event of a list, and the next one there.
    struct Node {
        Event event;
        std::uint32_t next;
    };

    /// At a cycle whose slot is of no other one: less than `slots` after the one that is dealt with.
    void append(std::uint64_t at, const Event& event)
    {
        std::uint32_t node = free_node_;
        if (node == none) [[unlikely]] {
            node = static_cast<std::uint32_t>(nodes_.size());
            nodes_.emplace_back();
        } else {
            free_node_ = nodes_[node].next;
        }
        nodes_[node] = {event, none};
        Slot& slot = slots_[at % slots];
        if (slot.first == none) {
            slot.first = node;
            occupied_[at % slots / 64] |= 1ull << (at % 64);
        } else {
            nodes_[slot.last].next = node;
        }
        slot.last = node;
    }

    /// The first of a cycle, or none.
    std::uint32_t first(std::uint64_t cycle) const { return slots_[cycle % slots].first; }
    const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
    /// The list of a cycle, of which each node is to be given back; the slot is empty after that.
    std::uint32_t detach(std::uint64_t cycle)
    {
        occupied_[cycle % slots / 64] &= ~(1ull << (cycle % 64));
        return std::exchange(slots_[cycle % slots], Slot()).first;
    }
    void give_back(std::uint32_t node) { nodes_[node].next = std::exchange(free_node_, node); }
    /// The first event of a cycle that has one.
    Event take_first(std::uint64_t cycle)
    {
        Slot& slot = slots_[cycle % slots];
        const std::uint32_t node = slot.first;
        slot.first = nodes_[node].next;
        if (slot.first == none)
            occupied_[cycle % slots / 64] &= ~(1ull << (cycle % 64));
        give_back(node);
        return nodes_[node].event;
    }

    /// Any time ahead. Rare: inlined, it would keep what schedules events from being so.
    [[gnu::noinline]] void push_far(std::uint64_t at, const Event& event)
    {
        far_.push({at, far_order_++, event});
    }
    /// The cycle of the first of these; never if there is none.
    std::uint64_t first_far() const { return far_.empty() ? never : far_.top().at; }
    Event take_far()
    {
        const Event event = far_.top().event;
        far_.pop();
        return event;
    }

    /// The first cycle after one, by `slots` at most, that has a list, or the first far one; never if there
    /// is none.
    std::uint64_t next_after(std::uint64_t cycle) const
    {
        for (std::uint64_t ahead = 1; ahead <= slots;) {
            const std::uint64_t slot = (cycle + ahead) % slots;
            const std::uint64_t word = occupied_[slot / 64] >> (slot % 64);
            if (word != 0)
                return std::min(first_far(), cycle + ahead + static_cast<unsigned>(std::countr_zero(word)));
            ahead += 64 - slot % 64;
        }
        return first_far();
    }

private:
    struct Slot {
        std::uint32_t first = none;
        std::uint32_t last = none; ///< only where there is a first
    };
    struct FarEvent {
        std::uint64_t at;
        std::uint64_t order; ///< in which they were scheduled
        Event event;
        bool operator<(const FarEvent& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    std::array<Slot, slots> slots_;
    std::array<std::uint64_t, slots / 64> occupied_{}; ///< one bit a slot
    std::vector<Node> nodes_;                          ///< as many as there were events under way at once
    std::uint32_t free_node_ = none;                   ///< used last: its memory is near
    std::priority_queue<FarEvent> far_;
    std::uint64_t far_order_ = 0;
};

} // namespace nocturne
