// The limit of an initiator's requests in flight, where they are known before they happen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nocturne {

/// Threads of an initiator in b_transport that does not wait: each says when its transactions begin and end,
/// and runs ahead of simulated time, so that they come in any order of time. A transaction begins when fewer
/// than the limit of those that are known are in flight. One thread alone never waits, and costs a
/// comparison.
class RequestLimit {
public:
    explicit RequestLimit(unsigned most) : most_(most) {}

    /// The first time from `from` on at which one more may begin. Nothing begins before `now` any more.
    std::uint64_t admit(std::uint64_t from, std::uint64_t now)
    {
        if (from >= latest_end_) [[likely]]
            return from;
        forget(now);
        for (;;) {
            unsigned there = 0;
            std::uint64_t first_end = ~std::uint64_t{0};
            for (const Flight& flight : flights_)
                if (flight.begin <= from && from < flight.end) {
                    ++there;
                    first_end = std::min(first_end, flight.end);
                }
            if (there < most_)
                return from;
            from = first_end;
        }
    }
    void note(std::uint64_t begin, std::uint64_t end, std::uint64_t now)
    {
        latest_end_ = std::max(latest_end_, end);
        if (flights_.size() >= most_kept_) {
            forget(now);
            most_kept_ = std::max(least_kept, 2 * flights_.size());
        }
        flights_.push_back({begin, end});
    }

private:
    struct Flight {
        std::uint64_t begin;
        std::uint64_t end;
    };
    void forget(std::uint64_t now)
    {
        std::erase_if(flights_, [now](const Flight& flight) { return flight.end <= now; });
    }

    static constexpr std::size_t least_kept = 64;
    unsigned most_;
    std::size_t most_kept_ = least_kept; ///< before those that have ended are forgotten
    std::uint64_t latest_end_ = 0;
    std::vector<Flight> flights_;
};

} // namespace nocturne
