#include "models/worm/calendar.hpp"

#include <algorithm>

namespace nocturne {

/// To the next cycle with an event; false if that is not before `end`.
bool Calendar::advance(std::uint64_t end)
{
    const std::uint64_t next = std::min(next_occupied(), far_.empty() ? never : far_.top().at);
    if (next >= end) {
        if (next != never)
            now_ = std::max(now_, end);
        return false;
    }
    now_ = next;
    // Before anything else can be scheduled for their cycles.
    for (; !far_.empty() && far_.top().at - now_ < slots; far_.pop())
        append(far_.top().at, far_.top().event);
    return true;
}

std::uint64_t Calendar::next_cycle() const
{
    if (first_[now_ % slots] != none)
        return now_;
    return std::min(next_occupied(), far_.empty() ? never : far_.top().at);
}

std::uint64_t Calendar::next_occupied() const
{
    for (std::uint64_t ahead = 1; ahead < slots;) {
        const std::uint64_t slot = (now_ + ahead) % slots;
        const std::uint64_t word = occupied_[slot / 64] >> (slot % 64);
        if (word != 0)
            return now_ + ahead + static_cast<unsigned>(std::countr_zero(word));
        ahead += 64 - slot % 64;
    }
    return never;
}

} // namespace nocturne
