// Finds lower bounds on steps, rounds and time, with certificates; schedules/certificate checks them.
#pragma once

#include "schedules/certificate/check_bound.hpp"
#include "schedules/chunk_flows/link_flow.hpp"
#include "schedules/problem/search_end.hpp"

#include <functional>
#include <optional>

namespace nocturne {

/// The rounds that the certificate proves; nothing if no number of rounds is enough.
std::optional<Bound> proven_bound(Certificate certificate, const LinkNetwork& network,
                                  const Collective& collective);

/// The best cut, exactly and in polynomial time, for
/// - collectives that spread every chunk to all of a group (allgather, broadcast): the largest ratio of what
///   a set contributes to what leaves it, by Newton's iteration on the ratio, each step a maximum flow from
///   all contributors to each receiver. Schedules come as near as wanted to it where switches have as much
///   bandwidth in as out (Zhao et al., ForestColl: Throughput-optimal collective communications on
///   heterogeneous network fabrics, 2024, section 4);
/// - what these are turned round (reduce-scatter, reduce);
/// - all-reduce of a group, in which every chunk leaves every set: the least cut between two members.
/// Nothing for other collectives, or if some receiver cannot be reached.
std::optional<Bound> best_cut(const LinkNetwork& network, const Collective& collective);

/// Links that count are as long as a byte takes on them, others nothing: exactly, where whole numbers allow
/// it.
LinkLengths lengths_by_width(const LinkNetwork& network, const std::function<bool(LinkId link)>& counts);

/// The best lengths of links, or cut, for collectives whose chunks have one contributor and one receiver
/// (all-to-all, scatter, gather): lengths by the links' widths, of all or of the narrow ones, cuts from one
/// end of the network to the other, and the lengths that the flow of least congestion comes with
/// (chunk_flows/link_flow.hpp). `flow` is that flow, of the collective in any number of parts; null: it is
/// searched for. At the end the best so far. Nothing for other collectives, or if some receiver cannot be
/// reached.
std::optional<Bound> best_lengths(const LinkNetwork& network, const Collective& collective,
                                  const SearchEnd& end = {}, const LinkFlow* flow = nullptr);

/// The best cut that is found for a scan: what leaves a set of nodes is, for each part, a sum for each member
/// inside whose next member is outside (crossings.hpp). Sets are those of the first nodes of an order, some
/// of them periodic in the members, with nodes put in and out for as long as that helps. At the end the best
/// so far. Nothing for other collectives, or if some receiver cannot be reached from what its sum is made of.
std::optional<Bound> best_prefix_cut(const LinkNetwork& network, const Collective& collective,
                                     const SearchEnd& end = {});

/// The largest of these and of receptions; nothing if there is none.
std::optional<Bound> best_rounds_bound(const LinkNetwork& network, const Collective& collective,
                                       const SearchEnd& end = {}, const LinkFlow* flow = nullptr);

/// What a bound in time is for.
enum class BoundScope {
    own_parts, ///< the collective in its parts
    any_parts, ///< its blocks cut into whatever number of parts
};

/// What this library knows about the collective: the way to the farthest receiver in transfers, the best
/// bound on rounds, and, if there is a cost, the latest of
/// - the longest way in time;
/// - what enters or leaves a processor, or crosses the best cut;
/// - the bound on rounds.
/// Every bound is proven by its certificate; there is none if a receiver cannot be reached. There are none on
/// rounds in so many steps: they come from searches (schedules/chunk_search).
Bounds best_chunk_bounds(const LinkNetwork& network, const Collective& collective,
                         const std::optional<AlphaBeta>& cost, BoundScope scope = BoundScope::own_parts,
                         const SearchEnd& end = {}, const LinkFlow* flow = nullptr);

/// The same bounds, found for this collective and scope without a cost or with another one, and those in time
/// at that cost. Takes little time beside best_chunk_bounds().
Bounds with_time(Bounds bounds, const LinkNetwork& network, const Collective& collective,
                 const AlphaBeta& cost, BoundScope scope = BoundScope::own_parts);

/// Bounds for any parts, which were found for the collective cut otherwise, as bounds of this one:
/// `bytes_per_weight` is its own. Without those on rounds in so many steps.
Bounds bounds_for_parts(Bounds bounds, const LinkNetwork& network, const Collective& collective,
                        double bytes_per_weight);

} // namespace nocturne
