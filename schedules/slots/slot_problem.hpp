// What the engines for slots search in.
#pragma once

#include "schedules/slots/slot_search.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// A path that a flow may take, with the links on it.
struct SlotPath {
    Path path;
    std::vector<TimedLink> links;
};

/// The flows with their paths, and time in units: what all starts and delays are multiples of.
struct SlotProblem {
    const Topology& topology;
    const SlotTiming& timing;
    const std::vector<GuaranteedFlow>& flows;
    std::vector<std::vector<SlotPath>> paths; ///< by flow
    std::uint32_t unit_cycles = 1;
    std::uint32_t slots = 1;

    std::uint32_t units() const { return slots * units_of_slot(); }
    std::uint32_t units_of_slot() const { return timing.slot_cycles / unit_cycles; }
    std::uint32_t units_after(const TimedLink& link) const { return link.after_cycles / unit_cycles; }
    std::uint64_t slots_needed(std::size_t flow) const { return slots_for_rate(flows[flow], timing, slots); }
    /// Does what these slots promise suffice?
    bool suffices(std::size_t flow, const FlowSlots& given) const;
};

/// No period of so many slots or less than this keeps what these slots are asked for on these paths: by the
/// loads of the channels. 0 and more.
std::uint32_t least_slots(const SlotProblem& problem);

/// A table by lists; nothing if there is none in so many rounds, or what they may look at, or by the end.
std::optional<SlotTable> list_slots(const SlotProblem& problem, const SearchEnd& end);

/// A table, or that there is none: whatever the starts, since those that are rounded down to units are as far
/// apart as before. Nothing is proven where the search has come to its end, or where latencies decide and
/// starts between units, or more slots than rates take, might keep them.
FoundSlots exact_slots(const SlotProblem& problem, const SlotSearch& search);

} // namespace nocturne
