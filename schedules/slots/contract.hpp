// What a flow with slots of its own is promised.
#pragma once

#include "schedules/slots/slot_table.hpp"

#include <cstdint>

namespace nocturne {

/// No message of a flow that keeps to GuaranteedFlow::message_cycles and burst_messages takes longer.
struct Contract {
    std::uint64_t latency_cycles = 0; ///< from creation to the last flit's arrival
    /// Where that is reached: the flow has been silent, `burst_messages` come at once in the cycle in which
    /// they can just not leave with this start (by its place in FlowSlots::starts), others follow as soon as
    /// they may, and this one of them, counted from 0, is the one that takes so long.
    std::uint32_t missed_start = 0;
    std::uint64_t message = 0;
};

/// From a message's creation until its last flit comes, of a message whose last packet enters the injection
/// link as soon as it can: what a path takes, waiting left out.
std::uint64_t cycles_without_waiting(const Topology& topology, const SlotTiming& timing,
                                     const GuaranteedFlow& flow, const Path& path);

/// The longest latency by construction, which is reached. While a flow has something to send it uses every
/// slot: message q of a busy time that begins in cycle t has left with the n (q + 1)-th start from t on, n
/// packets being a message; it came (q + 1 - burst) * message_cycles after t or later. The latency is the
/// longest for a t just behind a start, and repeats with q as the starts do. The flow must have as many
/// starts as slots_for_rate() says.
Contract contract_of(const Topology& topology, const SlotTiming& timing, const GuaranteedFlow& flow,
                     const FlowSlots& slots, std::uint32_t period_slots);

} // namespace nocturne
