// The wormhole network in SystemVerilog: routers with buffers, virtual channels, credits and allocators.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "sim/rtl/rtl_design.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// What the bench sends, ordered by cycles.
struct BenchPacket {
    std::uint64_t cycle;
    ProcessorId source;
    ProcessorId destination;
    std::uint32_t flits; ///< 1 to 4096

    friend bool operator==(const BenchPacket&, const BenchPacket&) = default;
};

/// The most packets, and flits of each, that a bench can number: the data of a flit are the number of its
/// packet and behind it, in so many bits, its own.
inline constexpr std::size_t most_bench_packets = std::size_t{1} << 20;
inline constexpr unsigned bench_sequence_bits = 12;

/// The network that Network makes of the same topology, hardware and routing for one-port processors, with a
/// bench that sends the packets: every flit is on every link in the same cycle as when TraceReplay sends
/// them. Flits have as many data bits as flit_bytes say. Throws std::invalid_argument for what is not
/// exported: routers that decide where packets go, routes that are drawn, other allocators than those by
/// default, speculation, flits of fewer than 4 bytes (the bench numbers them);
/// and for packets that do not exist so, or none.
RtlDesign wormhole_design(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                          std::span<const BenchPacket> packets);

} // namespace nocturne
