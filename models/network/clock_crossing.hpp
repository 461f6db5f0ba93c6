// From one clock to another: a synchronizer at the end of a link.
#pragma once

#include "models/topology/router_part.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace nocturne {

/// What arrives in a cycle of one clock is seen in a cycle of another, through a synchronizer of that many
/// of its cycles: the first cycle of the receiving clock that does not begin earlier, and those of the
/// synchronizer after it. Both clocks have an edge at time 0, and cycles count from there. Exact: the
/// lengths of a cycle are whole numbers of one unit, and nothing is rounded but to the next edge.
class ClockCrossing {
public:
    ClockCrossing(const ClockRatio& from, const ClockRatio& to, unsigned synchronizer_cycles)
        : from_units_(std::uint64_t{from.base} * to.ticks), to_units_(std::uint64_t{to.base} * from.ticks),
          synchronizer_cycles_(synchronizer_cycles)
    {
        const std::uint64_t common = std::gcd(from_units_, to_units_);
        from_units_ /= common;
        to_units_ /= common;
    }

    /// The cycle of the receiving clock that begins with that cycle of the other, or next after it.
    std::uint64_t next_edge(std::uint64_t cycle) const
    {
        // Divided in two parts, none of which can wrap.
        return cycle / to_units_ * from_units_ +
               (cycle % to_units_ * from_units_ + to_units_ - 1) / to_units_;
    }
    std::uint64_t arrival(std::uint64_t cycle) const { return next_edge(cycle) + synchronizer_cycles_; }

    /// So many cycles of the one clock are never more of the other.
    std::uint64_t most_cycles(std::uint64_t cycles) const { return next_edge(cycles) + 1; }

private:
    std::uint64_t from_units_; ///< length of a cycle
    std::uint64_t to_units_;
    unsigned synchronizer_cycles_;
};

} // namespace nocturne
