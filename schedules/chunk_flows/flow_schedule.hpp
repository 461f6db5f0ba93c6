// All-to-all and its like, over the links as the best flow spreads them.
#pragma once

#include "schedules/chunk_flows/path_rounding.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

struct FlowConfig {
    AlphaBeta cost;
    std::uint64_t seed = 1;
    std::uint32_t runs = 12; ///< orders that are tried, of which the best counts; 1 or more
    /// At the deadline, before the first order is done: nothing. At the flag: what was left out comes last.
    SearchEnd end = {};
};

struct FlowSchedule {
    Schedule schedule; ///< under dependencies
    double cycles;     ///< time_of() it
    /// What the fullest link takes for its load if chunks are spread as the flow is, alphas apart: in cycles.
    /// A lower bound where the flow is of least congestion.
    double flow_cycles;
};

/// For collectives whose chunks each go from one processor to one other (all-to-all, scatter, gather, with
/// any weights): the multicommodity flow of least congestion (link_flow.hpp) is rounded to a path for each
/// chunk. Then links take, whenever they fall idle, the chunk that is there and has the longest way to go,
/// or in every other run the most full links ahead; the order of equals is that of the chunks, of receivers
/// behind the source, or chance. Of paths that share links over a plain switch, that one begins whose link
/// has most left to carry, or whose chunk is most urgent. Processors and copying switches on a path store
/// the chunk; plain switches are crossed.
///
/// With many chunks the time comes near flow_cycles. The flow is of owed.demands, which is
/// owed_pairs(collective). Nothing only if the end comes first.
std::optional<FlowSchedule> schedule_over(const LinkFlow& flow, const OwedPairs& owed,
                                          const LinkNetwork& network, const Collective& collective,
                                          const FlowConfig& config);

} // namespace nocturne
