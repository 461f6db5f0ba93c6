// The flow bound of scatters: no schedule is faster than the least congested fractional routing.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace nocturne {

/// Lengths on channels and ports, and the bound that they prove (see ChannelLengths). A channel that is long
/// under them is scarce: a schedule of few steps cannot send much over walks longer than the shortest.
struct FlowSolution {
    ChannelLengths lengths;
    std::int64_t distance = 0; ///< sum over messages of the length of a shortest walk
    std::int64_t capacity = 1; ///< sum over channels and ports of length x capacity

    /// ceil(distance / capacity)
    unsigned steps() const { return static_cast<unsigned>((distance + capacity - 1) / capacity); }
};

/// The best lengths found for messages with one receiver each.
///
/// One sender or one receiver: a minimum cut, exact. Otherwise the linear program "route all messages,
/// fractionally, so that the most congested channel or port carries the least". First approximately: lengths
/// around cuts, lengths that grow where shortest walks crowd (multiplicative weights), and the prices of a
/// routing that is made more and more even (see EvenedLoad), until the bound that the lengths prove is the
/// congestion of a routing, rounded up. Small networks (work is counted, not timed) then by column
/// generation:
/// the program mixes the routings that it has, its prices are lengths, shortest walks under these are new
/// routings.
///
/// The numbers are exact whatever the linear program says: lengths are rounded to integers and distances
/// computed with those. Under a slack walks have as many hops as it allows from the origin to the receiver.
///
/// After the deadline the best lengths so far are returned. The problem must pass check(). Throws
/// std::invalid_argument if a message has several receivers.
FlowSolution
solve_flow(const Problem& problem,
           std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

/// The bound of solve_flow(); nothing if a message has several receivers.
std::optional<Bound>
flow_bound(const Problem& problem,
           std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

} // namespace nocturne
