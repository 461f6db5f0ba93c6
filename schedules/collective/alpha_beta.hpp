// What sending costs where nothing is in the way.
#pragma once

#include <cstdint>
#include <optional>

namespace nocturne {

/// What a byte and a message cost. alpha of a link is its latency_cycles plus start_cycles.
struct AlphaBeta {
    double bytes_per_weight = 1; ///< of a chunk of weight 1, more than 0
    double start_cycles = 0;     ///< a transfer's start-up, beside the latency of its links
    /// false: a link takes the next transfer while the last is still on the wire (TE-CCL, our hardware).
    /// true: one only when the last has arrived (SCCL, TACOS). A step has one alpha either way.
    bool latency_holds_link = false;

    friend bool operator==(const AlphaBeta&, const AlphaBeta&) = default;
};

/// The setting for which a schedule was made, as far as it is known.
struct MadeFor {
    std::optional<std::uint64_t> bytes = std::nullopt; ///< of the largest vector that a processor contributes
    std::optional<double> start_cycles = std::nullopt; ///< AlphaBeta
    bool latency_holds_link = false;                   ///< AlphaBeta
    std::optional<double> cycle_ns = std::nullopt;     ///< of the network's clock

    friend bool operator==(const MadeFor&, const MadeFor&) = default;
};

} // namespace nocturne
