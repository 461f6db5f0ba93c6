// Schedules without barriers, short by alpha + beta time, on links of any speed.
#pragma once

#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

struct TimedConfig {
    AlphaBeta cost;
    std::uint64_t seed = 1;
    /// Runs, of which the best counts. They end at the bound. As many give the same schedule every time,
    /// unless `end` comes first: then what has been found by then counts. 0: direct exchanges only.
    std::uint32_t runs = 20;
    SearchEnd end = {};
    std::size_t paths_per_pair = 4; ///< where plain switches lie between processors
};

struct TimedSchedule {
    Schedule schedule;   ///< under dependencies
    double cycles;       ///< time_of() it
    double bound;        ///< port_time_bound() of it, or of what it is made of; in cycles, 0 for none
    std::uint32_t runs;  ///< that were made
    bool is_cut = false; ///< did the end, or that of a share of what was left, cut off an order?
};

/// Time-expanded search: as time goes on, every link that falls idle takes a chunk that its source has and
/// its end lacks, the one that is rarest in the network (for chunks that are relayed: the one with the
/// longest way to go), chance deciding between equals. After Won et al., TACOS: Topology-aware collective
/// algorithm synthesizer for distributed machine learning, MICRO 2024, whose links are matched at random.
/// Where some links are faster than others, every second run takes first the chunk that is farthest from the
/// link's end, and leaves a slow link idle whose end lacks only what comes sooner over faster ones.
///
/// Direct exchanges (direct_exchange.hpp) are tried before the runs, and are what there is if the collective
/// is large (is_large()). Where that looks the same from all members, they are made for one of them
/// (translated_search.hpp).
///
/// Collectives that add up to one receiver a chunk are run backwards (turned_network.hpp). All-reduce is
/// reduce-scatter and allgather (all_reduce.hpp), goes over trees (tree_all_reduce.hpp), over one dimension
/// of a grid after the other (staged_all_reduce.hpp), or, if it is small, lets each contribution travel on
/// its own to receivers that add, whichever takes less time. A scan goes from member to member
/// (scan_chain.hpp), if that takes less time than to let each contribution travel on its own, as any other
/// one that adds does. Nothing if some receiver cannot be reached, or the end comes first. Throws
/// std::invalid_argument if the collective is for another number of processors, costs are negative, or
/// there are runs and nodes x chunks is more than 2^28.
std::optional<TimedSchedule> search_by_time(const LinkNetwork& network, const Collective& collective,
                                            const TimedConfig& config);

} // namespace nocturne
