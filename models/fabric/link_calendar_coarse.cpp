// Calendars with a bit for several cycles.
#include "models/fabric/link_calendar.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {

/// With a bit for several cycles: as many as the flits take on average, and on each link as many as all have
/// used, but for some. Cycles that it arrives after its zero load.
std::uint64_t LinkCalendar::reserve_coarsely(const LegRoute& route, std::uint32_t flits, std::uint64_t cycle)
{
    constexpr int most_owed = 16;                                    // bits
    dither_ = dither_ * 6364136223846793005u + 1442695040888963407u; // Knuth's generator of random numbers
    const unsigned shift = shift_;
    const std::uint64_t count = (flits + (dither_ >> (64 - shift))) >> shift;
    const std::uint64_t used = low_bits(count);
    // Most find free what they come for, and all in one word.
    const std::uint64_t asked = used | 1;
    const int last_place = route.is_narrow || count > 64 ? -1 : static_cast<int>(64 - count);
    const std::int64_t owed = std::int64_t{flits} - static_cast<std::int64_t>(count << shift);
    const std::uint64_t limit = most_owed << shift; // for what is owed, either way
    const auto first_word = static_cast<std::uint32_t>((now_ >> shift) / 64);
    const std::uint64_t end = (std::uint64_t{first_word} + words) * 64;
    Link* const links = links_.data();
    Taken* const calendars = taken_.data();
    const std::size_t link_count = link_count_;
    Head head{cycle};
    const auto cross = [&](std::uint32_t id) {
        Link& link = links[id];
        if (link.seen < first_word) [[unlikely]]
            recycle(id, first_word);
        const std::uint64_t from = head.at >> shift;
        const auto place = static_cast<int>(from % 64);
        std::uint64_t& taken = calendars[from / 64 % words * link_count + id][0];
        if (place <= last_place && (taken >> place & asked) == 0 &&
            static_cast<std::uint64_t>(link.owed) + limit < 2 * limit && from < end) [[likely]] {
            taken |= used << place;
            link.owed += owed;
            head.at += link.next_cycles;
        } else {
            queue_coarsely(id, flits, head);
        }
    };
    cross(route.injection);
    for (std::uint32_t i = 0; i + 2 < route.links; ++i)
        cross(route.channels[i]);
    cross(route.ejection);
    return std::max(head.waits, head.late);
}

void LinkCalendar::queue_coarsely(std::uint32_t id, std::uint32_t flits, Head& head)
{
    Link& link = links_[id];
    const std::int64_t owed = link.owed + std::int64_t{flits} * link.occupied_cycles;
    const std::uint64_t count = owed > 0 ? static_cast<std::uint64_t>(owed) >> shift_ : 0;
    link.owed = owed - static_cast<std::int64_t>(count << shift_);
    const std::uint64_t from = head.at >> shift_;
    // Most wait for one message, and find behind it what they come for.
    const auto place = static_cast<unsigned>(from % 64);
    std::uint64_t& taken = this->taken(id, from / 64)[0];
    const auto behind = static_cast<unsigned>(std::countr_one(taken >> place));
    const std::uint64_t used = low_bits(count);
    if (place + behind + std::max<std::uint64_t>(count, 1) <= 64 && (taken >> place >> behind & used) == 0 &&
        from < (std::uint64_t{link.seen} + words) * 64) {
        taken |= used << place << behind;
        const std::uint64_t wait = behind > 0 ? wait_for(from + behind, head.at) : 0;
        head.waits += wait;
        head.at += wait + link.next_cycles;
        return;
    }
    const Span span = take(id, {}, from, count);
    const std::uint64_t wait = span.first > from ? wait_for(span.first, head.at) : 0;
    head.waits += wait;
    if (span.moved > 0) {
        const std::uint64_t spread = span.last + 1 - span.first - count;
        head.late = std::max(head.late, head.waits + ((spread * span.moved / count) << shift_));
    }
    head.at += wait + link.next_cycles;
}

/// Cycles from `at` to the beginning of a later bit. What takes the bits before may come anywhere in them.
std::uint64_t LinkCalendar::wait_for(std::uint64_t bit, std::uint64_t at) const
{
    const std::uint64_t wait = (bit << shift_) - at;
    return wait - std::min(wait, ((std::uint64_t{1} << shift_) - 1) / 2);
}

void LinkCalendar::coarsen(std::uint64_t ahead)
{
    for (; ahead >> shift_ > bits / 2; ++shift_) {
        const auto word = static_cast<std::uint32_t>((now_ >> shift_) / 64);
        for (std::uint32_t id = 0; id < links_.size(); ++id) {
            if (links_[id].seen < word)
                recycle(id, word);
            halve(id, word);
            for (std::uint64_t& behind : queues_[id].behind)
                behind /= 2;
            links_[id].seen = word / 2;
        }
    }
}

/// A bit for two, of a calendar whose first word is `word`. As many cycles are taken as before, by either
/// leg: where a bit is for several cycles, both use what is the first one's.
void LinkCalendar::halve(std::uint32_t link, std::uint32_t word)
{
    std::array<Taken, words> result{};
    unsigned count = 0;
    const std::uint64_t first = std::uint64_t{word} * 64;
    for (std::uint64_t bit = first; bit < first + bits; bit += 2) {
        const Taken& use = taken(link, bit / 64);
        const std::uint64_t both = shift_ > 0 ? use[0] : use[0] & use[1];
        count += static_cast<unsigned>(std::popcount(both >> bit % 64 & 3));
        if (count < 2)
            continue;
        count -= 2;
        result[bit / 2 / 64 % words][0] |= std::uint64_t{1} << bit / 2 % 64;
    }
    for (unsigned i = 0; i < words; ++i)
        taken(link, i) = result[i];
}

} // namespace nocturne
