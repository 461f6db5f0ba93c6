// Every lower bound that applies to a problem.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// The bounds that need no search, the largest first; at least one, and each at least 1. Exhausted search is
/// not among them (see infeasibility_bound.hpp). After the deadline none is begun but that of the ports, and
/// the flow bound ends with the best that it has. Throws as check().
std::vector<Bound>
lower_bounds(const Problem& problem,
             std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

/// The first of them.
Bound lower_bound(const Problem& problem, std::chrono::steady_clock::time_point deadline =
                                              std::chrono::steady_clock::time_point::max());

// Bounds that count: what the ports of a single processor allow, how far messages go under store-and-forward
// switching, and how fast a message can spread.

/// The processor that takes longest to send its own messages, each at least once, or to receive what it is
/// owed. At least 1 step: a collective has something to send.
Bound port_bound(const Problem& problem);

/// Transfers that the farthest receiver is away from the origin under store-and-forward switching, a step
/// each. Nothing under wormhole switching, which does not mind distances. The problem must pass check().
std::optional<Bound> distance_bound(const Problem& problem);

/// The message that takes longest to spread to its receivers when every processor that has it passes it on
/// through all its send ports in every step, and those informed first are the best connected ones (of those
/// within as many hops as there were steps, under store-and-forward switching). Nothing unless some message
/// has more receivers than one. For a k-port OAB it is ceil(log_{k+1} P) or more. The problem must pass
/// check().
std::optional<Bound> growth_bound(const Problem& problem);

// What must enter a set of routers: the bound of broadcasts.

/// The set of routers that the messages for it take longest to enter through its channels, each at least once
/// (see VertexSet). The best set around a receiver is a side of a minimum cut between the origins of its
/// messages and itself: all receivers are tried, in a large network the worst connected ones. What leaves a
/// set enters the rest. Or the set without an origin that is slowest to begin, if it takes longer to receive
/// what it is owed (see receptions_of_set()). Nothing if every message has one receiver: the flow bound of
/// such is at least as good.
///
/// The problem must pass check().
std::optional<Bound> vertex_set_bound(const Problem& problem);

// How fast a message can get into, and spread in, the parts of a network that have one way in.

/// A bound for broadcasts of one message. Every way from the origin into the routers that a router dominates
/// (Lengauer and Tarjan, TOPLAS 1979: all paths to them lead through it) enters at that router, through the c
/// channels into it from outside. So if these routers need n informed processors with t steps to go, they
/// need the least a such that
///     a + send ports of the best a of them + c >= n
/// with t + 1 steps to go, and at least what the parts within them need together. No schedule has so few
/// steps that some part would need processors that are informed when it begins. Trees are where that beats
/// growth_bound(): in a full binary tree of 63 processors it is 5.
///
/// Nothing for other collectives, or if some processor sends from where the message cannot come through. The
/// problem must pass check().
std::optional<Bound> dominator_bound(const Problem& problem);

// The flow bound of scatters: no schedule is faster than the least congested fractional routing.

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
