// What minimal paths are minimal in.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// What each channel of a path costs: the cycles of the router before it, and those of its wire. A minimal
/// path is one of least cost: the head of a message that meets no other is there first. The width of
/// channels does not count.
struct PathCost {
    unsigned router_cycles = 4; ///< 1 or more; as left out, those of the hardware's default router
    unsigned link_cycles =
        1; ///< for each unit of a channel's latency; 0: hops are counted, whatever they take
    std::vector<unsigned> own_router_cycles = {}; ///< by router; empty: all have router_cycles

    /// Every channel costs 1: paths of fewest hops.
    static PathCost hops() { return {1, 0}; }

    bool is_hops() const { return link_cycles == 0; }
    std::uint64_t of(const Channel& channel) const
    {
        const unsigned before = own_router_cycles.empty() ? router_cycles : own_router_cycles[channel.source];
        return before + std::uint64_t{link_cycles} * channel.latency_cycles;
    }

    friend bool operator==(const PathCost&, const PathCost&) = default;
};

/// Do some channels of the network differ in latency, or routers in pipeline or clock? Only then is a path of
/// least latency another thing than one of fewest hops.
bool latencies_differ(const Topology& topology);

/// The same costs, or PathCost::hops() where latencies do not differ, which finds the same paths faster.
PathCost cost_on(const Topology& topology, const PathCost& cost);

/// `least latency (4 cycles a router, 1 a unit of link latency)` or `fewest hops`; empty where latencies do
/// not differ.
std::string describe_minimal(const Topology& topology, const PathCost& cost);

} // namespace nocturne
