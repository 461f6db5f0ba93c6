// Every parameter of the hardware, in one typed value that is filled at the edge and constant after that.
#pragma once

#include "models/network/allocation.hpp"
#include "models/routing/path_cost.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

/// The fewest whole clock cycles that last `ns` (0 or more). Both are decimal numbers to the femtosecond, so
/// that 2.1 ns are three cycles of 0.7 ns, which a division of doubles makes four.
std::uint64_t whole_cycles(double ns, double cycle_ns);

/// Of a channel, with HardwareConfig::link_cycles: what 32-bit delays and full-rate buffers can bear.
inline constexpr std::uint64_t longest_latency_cycles = 1'000'000;

/// When a head without a virtual channel requests the switch.
enum class Speculation : std::uint8_t {
    none,
    /// In the cycle in which it requests its virtual channel, behind the flits that have theirs, and in vain
    /// if it does not get it.
    before_vc
};

/// Cycles that a head flit spends in each stage of a router. Body flits need only the last two, and find them
/// reserved.
struct Pipeline {
    unsigned route_computation = 1;              ///< 0 or more
    unsigned vc_allocation = 1;                  ///< 1 or more: the cycle in which the output is won
    unsigned switch_allocation = 1;              ///< 0 or more; 0: won together with the virtual channel
    unsigned switch_traversal = 1;               ///< 0 or more
    Speculation speculation = Speculation::none; ///< any other with a switch_allocation of 0 only

    /// From the arrival of a head flit to its departure onto the link, with no competitor.
    unsigned cycles() const
    {
        return route_computation + vc_allocation + switch_allocation + switch_traversal;
    }
    /// How much longer a head takes than a flit behind it that finds the way free.
    unsigned head_cycles() const { return route_computation + vc_allocation + switch_allocation - 1; }
};

/// A wormhole router: four stages of one cycle each (Dally & Towles, Principles and Practices, ch. 16).
inline constexpr Pipeline wormhole_router_pipeline{};

/// The route has been computed in the router before (Dally & Towles, ch. 16).
inline constexpr Pipeline lookahead_pipeline{0, 1, 1, 1};

/// Switch allocation beside virtual-channel allocation (Peh & Dally 2001).
inline constexpr Pipeline speculative_pipeline{1, 1, 0, 1, Speculation::before_vc};

/// Both.
inline constexpr Pipeline lookahead_speculative_pipeline{0, 1, 0, 1, Speculation::before_vc};

/// A crossbar switch of a multistage network: the control tag names the output port, so that there is no
/// route to compute and one arbitration wins output and crossbar together; one more cycle traverses it.
inline constexpr Pipeline crossbar_switch_pipeline{0, 1, 0, 1};

/// The defaults give the papers' example: t0 = 1 us, and t1 = cycle_ns / flit_bytes = 0.5 ns/byte.
struct HardwareConfig {
    double cycle_ns = 2.0; ///< above 0; a multiple of 1 ps
    unsigned flit_bytes =
        4; ///< payload of a flit, and what a link moves in a cycle; route and address ride beside it
    double t0_ns = 1000.0; ///< start-up of a step in a DMA engine, synchronization included; 0 or more
    Pipeline router = wormhole_router_pipeline;   ///< of routers
    Pipeline crossbar = crossbar_switch_pipeline; ///< of the switches of self-routing multistage networks
    unsigned link_cycles =
        1; ///< cycles for each unit of a channel's latency; injection and ejection have latency 1
    unsigned credit_cycles = 1; ///< from a credit's arrival over its link to its use
    unsigned interface_cycles =
        1; ///< from a message's arrival in the source queue to its first flit on the link
    unsigned buffer_flits =
        8;            ///< depth of each virtual channel's input buffer; 0: what its link needs at full rate
    unsigned vcs = 1; ///< virtual channels of each link, 1..32
    Allocation allocation = {}; ///< of routers and switches
    /// Of adaptive routing, and for that only. Nothing: `credits`; `in_turn` for all minimal paths where
    /// these need no escape channels.
    std::optional<Selection> selection = {};

    /// Of a step in a DMA engine: t0 in whole clock cycles.
    std::uint64_t start_up_cycles() const { return whole_cycles(t0_ns, cycle_ns); }
    /// Time per byte of the model, ns.
    double t1_ns_per_byte() const { return cycle_ns / flit_bytes; }
    /// Flits of a message of `bytes`; at least one.
    std::uint64_t flits(std::uint64_t bytes) const
    {
        return bytes == 0 ? 1 : 1 + (bytes - 1) / flit_bytes; // no sum that could wrap
    }
    /// The elements at the vertices: crossbar switches in a self-routing multistage network, routers in every
    /// other.
    const Pipeline& pipeline_of(const Topology& topology) const
    {
        return topology.switches() == SwitchKind::router ? router : crossbar;
    }
    /// What a channel costs the head of a message: for make_routing().
    PathCost path_cost_on(const Topology& topology) const
    {
        return {pipeline_of(topology).cycles(), link_cycles};
    }
    /// Cycles that a flit occupies a channel: 1 unless the channel is narrower than a flit.
    unsigned cycles_per_flit(const Channel& channel) const
    {
        return channel.width_bytes == 0 ? 1 : (flit_bytes + channel.width_bytes - 1) / channel.width_bytes;
    }
    /// Buffer depth that keeps a flit moving in every cycle over a link of this latency: the time from the
    /// departure of a flit to the return of its credit.
    unsigned full_rate_buffer_flits(const Pipeline& pipeline, unsigned latency_cycles) const;

    /// Of each virtual channel at the end of a link of this latency, flits.
    unsigned buffer_depth(const Pipeline& pipeline, unsigned latency_cycles) const
    {
        return buffer_flits != 0 ? buffer_flits : full_rate_buffer_flits(pipeline, latency_cycles);
    }

    /// Throws std::invalid_argument naming the parameter that is out of range.
    void validate() const;
};

} // namespace nocturne
