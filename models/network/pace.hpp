// What takes less than a flit in a cycle.
#pragma once

#include <cstdint>

namespace nocturne {

/// So many flits in so many cycles; at most one a cycle.
struct FlitRate {
    std::uint32_t flits = 1;
    std::uint32_t cycles = 1; ///< `flits` or more

    bool is_full() const { return flits == cycles; }
    /// Cycles from a flit to the next one, at most.
    std::uint32_t longest_gap() const { return (cycles + flits - 1) / flits; }

    friend bool operator==(const FlitRate&, const FlitRate&) = default;
};

/// When flits leave that leave at a rate. A flit leaves in the first cycle in which as many have left as the
/// rate allows, counted from a flit before which there was a pause: of flits that are always ready, flit f
/// leaves floor(f * cycles / flits) cycles after the first one.
class Pace {
public:
    Pace() = default; ///< one in every cycle
    explicit Pace(const FlitRate& rate) : rate_(rate) {}

    bool is_full() const { return rate_.is_full(); }
    /// A flit leaves in that cycle, 1 or later and none that this has not allowed; the first cycle in which
    /// another one may.
    std::uint64_t next(std::uint64_t leaves)
    {
        if (cycle_ < leaves - 1 || (cycle_ == leaves - 1 && part_ == 0)) { // there was a pause
            cycle_ = leaves - 1;
            part_ = 1;
        }
        cycle_ += (part_ + rate_.cycles) / rate_.flits;
        part_ = (part_ + rate_.cycles) % rate_.flits;
        return cycle_ + (part_ > 0 ? 1 : 0);
    }

private:
    FlitRate rate_;
    // When the next flit is due, so that what is rounded up for one flit is not lost for the next one.
    std::uint64_t cycle_ = 0;
    std::uint32_t part_ = 0; ///< of a cycle, of which there are `rate_.flits`
};

} // namespace nocturne
