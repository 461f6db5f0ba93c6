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
    std::optional<std::uint32_t> slots = {}; ///< of a period, 1 to most_slots; nothing: the fewest, to 256
    std::uint32_t paths = 32;                ///< of a flow that are tried, 1 or more
    unsigned slack = 0;                      ///< hops that they may have beyond a minimal path
    SearchEnd end = {};
    std::uint64_t conflicts = 200'000; ///< of the solver, for each period; 0: no limit
};

struct FoundSlots {
    std::optional<SlotTable> table = {};
    std::string engine = {}; ///< that found it: `list`, `packing`, `exact`
    std::string reason = {}; ///< without a table: why there is none, or that none was found
    bool is_proof = false;   ///< without a table: is there none, with this period and these paths?
};

/// First by lists: the flows one after the other, those that need most slots first, each on the path and
/// with the evenly spaced starts that give it the least latency; what finds no place comes first in the
/// next round. Then by packing (pack()), unless latencies are asked for: symmetric tables first where the
/// flows are as symmetric as the network, as an all-to-all on a torus is, of which a flow of each orbit has
/// to be packed. Then exactly, by CaDiCaL. What some link, or the channels together, have too few slots for
/// is not tried.
///
/// Without SlotSearch::slots the periods are tried from the shortest on that has slots enough, each by lists
/// and packing; after eight without a table ever fewer of them. Those that were passed over before the first
/// one with a table, and an exact search with a tenth of the conflicts where that is small, may shorten it.
/// So a shorter period may exist. Where none has a table all are searched exactly. The same arguments give
/// the same table, but for an end that comes. What is found passes check_slots(). Throws
/// std::invalid_argument for more than 10,000 flows, and for one that leads from a processor to itself,
/// wants what no slots give, or has no path, naming it.
FoundSlots find_slots(const Topology& topology, const SlotTiming& timing,
                      const std::vector<GuaranteedFlow>& flows, const SlotSearch& search);

} // namespace nocturne
