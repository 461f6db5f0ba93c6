// Every parameter of the hardware, in one typed value that is filled at the edge and constant after that.
#pragma once

#include "models/network/allocation.hpp"
#include "models/network/pace.hpp"
#include "models/routing/path_cost.hpp"
#include "models/topology/pipeline.hpp"
#include "models/topology/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// The fewest whole clock cycles that last `ns` (0 or more). Both are decimal numbers to the femtosecond, so
/// that 2.1 ns are three cycles of 0.7 ns, which a division of doubles makes four.
std::uint64_t whole_cycles(double ns, double cycle_ns);

/// Of a channel, with HardwareConfig::link_cycles: what 32-bit delays and full-rate buffers can bear.
inline constexpr std::uint64_t longest_latency_cycles = 1'000'000;

/// The first property of that name (set_property()) that a router of the network has of its own, or else a
/// channel, as `router 03 has a pipeline of its own`; empty if none has. For what cannot model it.
std::string own_property(const Topology& topology, std::initializer_list<std::string_view> names);

/// A pipeline with the clock that drives it.
struct ClockedPipeline {
    Pipeline stages;
    ClockRatio clock;
};

/// How a packet goes to several destinations.
enum class Multicast : std::uint8_t {
    unicasts, ///< as one to each, one behind the other
    tree,     ///< as one that routers copy where the ways part; at the flit level
    reserved  ///< the same, when its channels have been reserved for it, all at once (TreeReservations)
};

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
    unsigned synchronizer_cycles =
        2; ///< of the receiving clock, where a link leads from one clock to another; 1..100
    Allocation allocation = {}; ///< of routers and switches
    /// Of adaptive routing, and for that only. Nothing: `credits`; `in_turn` for all minimal paths where
    /// these need no escape channels.
    std::optional<Selection> selection = {};
    Multicast multicast = Multicast::unicasts;

    friend bool operator==(const HardwareConfig&, const HardwareConfig&) = default;

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
    // What a part of the network has, which may be of its own (RouterPart, Channel).

    const Pipeline& pipeline_of(const Topology& topology, RouterId at) const
    {
        const auto& own = topology.part(at).pipeline;
        return own ? *own : pipeline_of(topology);
    }
    Allocation allocation_of(const Topology& topology, RouterId at) const
    {
        Allocation result = allocation;
        result.arbiter = topology.part(at).arbiter.value_or(allocation.arbiter);
        return result;
    }
    /// Virtual channels of the injection and ejection links of a router.
    unsigned vcs_of(const Topology& topology, RouterId at) const
    {
        return topology.part(at).vcs != 0 ? topology.part(at).vcs : vcs;
    }
    /// Those of an ejection link that packets can have: so many it moves at a time.
    unsigned ejection_vcs_of(const Topology& topology, RouterId at) const
    {
        const unsigned packets = topology.part(at).packets;
        return packets != 0 ? std::min(packets, vcs_of(topology, at)) : vcs_of(topology, at);
    }
    /// Virtual channels of a channel.
    unsigned vcs_of(const Topology& topology, const Channel& channel) const
    {
        return channel.vcs != 0 ? channel.vcs : vcs_of(topology, channel.target);
    }
    /// The most that a link of the network has.
    unsigned most_vcs_of(const Topology& topology) const;
    ClockedPipeline clocked_pipeline_of(const Topology& topology, RouterId at) const
    {
        return {pipeline_of(topology, at), topology.part(at).clock};
    }
    /// Of the interfaces of a router's processors: of an injection link, and of an ejection link.
    FlitRate injection_rate_of(const Topology& topology, RouterId at) const
    {
        return flit_rate(topology.part(at).injection_rate);
    }
    FlitRate ejection_rate_of(const Topology& topology, RouterId at) const
    {
        return flit_rate(topology.part(at).ejection_rate);
    }
    /// Of each virtual channel of an injection link, flits.
    unsigned injection_buffer_of(const Topology& topology, RouterId at) const;
    /// The depth of buffer_of() that full rate needs.
    unsigned full_rate_buffer_of(const Topology& topology, const Channel& channel) const;
    /// Credits of an ejection link: its buffer is never what a flit waits for.
    unsigned ejection_credits_of(const Topology& topology, RouterId at) const;
    /// Of each virtual channel at the end of a channel, the most flits that it can have.
    unsigned buffer_of(const Topology& topology, const Channel& channel) const;
    /// Flits that the virtual channels of a channel share, see RouterPart::pool_flits.
    unsigned pool_of(const Topology& topology, const Channel& channel) const
    {
        return topology.part(channel.target).pool_flits;
    }
    /// Cycles of a clock of the network in which a router spends those of its pipeline, rounded up.
    unsigned router_cycles_of(const Topology& topology, RouterId at) const;

    /// What a channel costs the head of a message: for make_routing().
    PathCost path_cost_on(const Topology& topology) const;
    /// Cycles that a flit occupies a channel: 1 unless the channel is narrower than a flit.
    unsigned cycles_per_flit(const Channel& channel) const
    {
        return channel.width_bytes == 0 ? 1 : (flit_bytes + channel.width_bytes - 1) / channel.width_bytes;
    }
    /// Buffer depth that keeps a flit moving in every cycle over a link of this latency: the time from the
    /// departure of a flit to the return of its credit.
    unsigned full_rate_buffer_flits(const Pipeline& pipeline, unsigned latency_cycles) const
    {
        return full_rate_buffer_flits({pipeline, {}}, {pipeline, {}}, latency_cycles);
    }
    /// The same from one router to another, in every cycle of the slower clock.
    unsigned full_rate_buffer_flits(const ClockedPipeline& from, const ClockedPipeline& to,
                                    unsigned latency_cycles) const;

    /// Of each virtual channel at the end of a link of this latency, flits.
    unsigned buffer_depth(const Pipeline& pipeline, unsigned latency_cycles) const
    {
        return buffer_flits != 0 ? buffer_flits : full_rate_buffer_flits(pipeline, latency_cycles);
    }

    /// Throws std::invalid_argument naming the parameter that is out of range.
    void validate() const;

private:
    /// Of an interface that moves so many thousandths of a byte in a cycle; 0: a flit.
    FlitRate flit_rate(unsigned thousandths) const;
};

} // namespace nocturne
