// The closed formula for a message on an idle network.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>

namespace nocturne {

/// Cycles from the source queue to the ejection of the last of `flits` flits along `route` on an idle
/// network. The head takes
///
///     interface + sum over the H routers of pipeline + sum over the H + 1 links of (latency + c - 1)
///
/// with pipeline = Pipeline::cycles() of a router (or switch), and c = cycles that a
/// link takes for a flit (1 unless it is narrower than a flit). Injection and ejection links have latency 1
/// and c = 1. The last flit comes flits - 1 cycles later if no link is narrow: with every delay 1 that is
/// 5H + 2 + (flits - 1). In general it comes later by the maximum over all links i of
///
///     c(i) + (flits - 2) * (largest c of link i and those behind it) - sum of head over routers behind i
///
/// since flits spread out by a narrow link gain on the head, in each router, the Pipeline::head_cycles() that
/// only a head waits. Exact for buffers of at least full_rate_buffer_of() every link on the way.
///
/// Where routers on the way have clocks of their own it is the recurrence that the formula solves, flit by
/// flit and link by link,
///
///     d(i, f) = max of a(i - 1, f) + head (of f = 0), d(i, f - 1) + c(i)
///     a(i, f) = max of crossed(d(i, f) + departure + latency + c(i) - 1), a(i, f - 1) + 1
///
/// with departures d in cycles of the link's sender, arrivals a in those of its receiver, and
/// ClockCrossing::arrival() where these are two clocks. It depends then on the cycle of the network's clock
/// in which the message comes to its source queue, by no more than zero_load_bounds() says.
///
/// It is that recurrence too where an interface at either end has a rate of its own (RouterPart): then
/// d(i, f) is not before Pace::next(). Behind the first 65,536 flits the others are added at the rate of the
/// slowest link.
///
/// `router`: the one of an empty route, which names none; it matters where routers have parts of their own.
std::uint64_t zero_load_cycles(const Topology& topology, const HardwareConfig& config, const Route& route,
                               std::uint64_t flits, std::uint64_t created = 0, RouterId router = 0);

/// The least and the most that zero_load_cycles() is, whenever the message comes.
struct ZeroLoadBounds {
    std::uint64_t least;
    std::uint64_t most;
    /// All phases of the clocks have been tried, and some have these. Otherwise there are more than
    /// most_phases, and none exceeds these: in each crossing a flit waits for less than a cycle of the
    /// receiving clock, and a message is no later than along one chain of waits, which crosses each link
    /// once.
    bool are_exact;

    static constexpr std::uint64_t most_phases = 4096;

    friend bool operator==(const ZeroLoadBounds&, const ZeroLoadBounds&) = default;
};
ZeroLoadBounds zero_load_bounds(const Topology& topology, const HardwareConfig& config, const Route& route,
                                std::uint64_t flits, RouterId router = 0);

/// Have all routers of the route the clock of the network?
bool has_one_clock(const Topology& topology, const Route& route, RouterId router = 0);

} // namespace nocturne
