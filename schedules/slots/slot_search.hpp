// Slots for flows: searched for over paths and starts.
#pragma once

#include "schedules/problem/search_end.hpp"
#include "schedules/slots/slot_table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

struct SlotSearch {
    std::optional<std::uint32_t> slots = {}; ///< of a period, 1 to most_slots; nothing: 1, 2, 4, … to 256
    std::uint32_t paths = 16;                ///< of a flow that are tried, 1 or more
    unsigned slack = 0;                      ///< hops that they may have beyond a minimal path
    SearchEnd end = {};
    std::uint64_t conflicts = 200'000; ///< of the solver, for each period; 0: no limit
};

struct FoundSlots {
    std::optional<SlotTable> table = {};
    std::string engine = {}; ///< that found it: `list`, `exact`
    std::string reason = {}; ///< without a table: why there is none, or that none was found
    bool is_proof = false;   ///< without a table: is there none, with this period and these paths?
};

/// First by lists: the flows one after the other, those that need most slots first, each on the path and
/// with the evenly spaced starts that give it the least latency; what finds no place comes first in the
/// next round. Then exactly, by CaDiCaL, unless some link is asked for more than it has by all paths of the
/// flows over it. Shorter periods come first, lists before all formulas. The same arguments give the same
/// table, but for an end that comes. What is found passes check_slots(). Throws std::invalid_argument for
/// more than 10,000 flows, and for one that leads from a processor to itself, wants what no slots give, or
/// has no path, naming it.
FoundSlots find_slots(const Topology& topology, const SlotTiming& timing,
                      const std::vector<GuaranteedFlow>& flows, const SlotSearch& search);

} // namespace nocturne
