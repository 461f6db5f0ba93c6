// What a fabric has to do at times to come.
#pragma once

#include <systemc>

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

namespace nocturne {

/// Entries by time; those of one time in the order in which they came. The event is notified for the first.
/// What comes during a call of take_due() for the same time waits for the next delta cycle, as in a
/// tlm_utils::peq_with_get whose reader has read all.
template <class Entry>
class TimedQueue {
public:
    /// `delay` from now.
    void push(const Entry& entry, const sc_core::sc_time& delay)
    {
        entries_.push({(sc_core::sc_time_stamp() + delay).value(), next_order_++, entry});
        due_.notify(delay);
    }

    void clear() { entries_ = {}; }

    /// What becomes due, an activation each time.
    const sc_core::sc_event& due() const { return due_; }

    /// Calls `handle(entry)` for what is due now.
    template <class Handle>
    void take_due(Handle handle)
    {
        const std::uint64_t now = sc_core::sc_time_stamp().value();
        const std::uint64_t end = next_order_;
        while (!entries_.empty() && entries_.top().at <= now && entries_.top().order < end) {
            const Entry entry = entries_.top().entry;
            entries_.pop();
            handle(entry);
        }
        if (!entries_.empty())
            due_.notify(sc_core::sc_time::from_value(entries_.top().at - now));
    }

    /// The first entry that is due now; nothing if there is none.
    std::optional<Entry> take()
    {
        if (entries_.empty())
            return std::nullopt;
        const std::uint64_t now = sc_core::sc_time_stamp().value();
        if (entries_.top().at > now) {
            due_.notify(sc_core::sc_time::from_value(entries_.top().at - now));
            return std::nullopt;
        }
        const Entry entry = entries_.top().entry;
        entries_.pop();
        return entry;
    }

private:
    struct Timed {
        std::uint64_t at; ///< units of the time resolution
        std::uint64_t order;
        Entry entry;
        bool operator<(const Timed& other) const
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };
    std::priority_queue<Timed> entries_;
    std::uint64_t next_order_ = 0;
    sc_core::sc_event due_;
};

} // namespace nocturne
