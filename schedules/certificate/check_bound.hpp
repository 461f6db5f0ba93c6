// The independent judge of bounds: shares nothing with what finds them, encoders included.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// Why a bound is not proven, in one line; nothing if it is.
using Refutation = std::optional<std::string>;

/// Why the certificate of `bound`, of steps, does not prove it for the problem: it is one for chunks, or for
/// another network, has a negative length, proves fewer steps, …. A certificate that proves more is fine.
///
/// Port, growth, dominator and distance bounds are computed again, lengths and vertex sets evaluated in 128
/// bits; exhausted searches must have a proof, which is checked step by step against a formula that is made
/// for it from the problem alone. Throws as check().
Refutation refute(const Problem& problem, const Bound& bound);

/// The same for a collective in chunks, cut into the bound's number of parts. Times are compared as exact
/// rational numbers.
/// - steps: by a farthest pair.
/// - rounds: see proven_rounds().
/// - rounds in so many steps: also refutes bounds of collectives in which a sum has several receivers: the
///   formula says nothing of them.
/// - cycles by a farthest pair: the latencies of the shortest way, the start-up of one transfer and what the
///   heaviest such chunk takes to stream onto the first link; for any parts nothing, as it may be cut ever
///   more finely.
/// - cycles by a cut: chunks of one weight end on a link one by one, the first when latency and start-up are
///   over and it has streamed. Of different weights, pieces of weight 1 do, with neither between them. For
///   any parts all that crosses streams from latency and start-up on. Chunks cross as often as
///   least_crossings() says (crossings.hpp). Receptions likewise; by lengths all streams, in own parts too.
/// - cycles of what is released at a time or later (Bound::released_from): from that time on, as above.
/// - cycles by rounds: a round is what a chunk of weight 1 takes on a link of one unit.
Refutation refute(const Bound& bound, const LinkNetwork& network, const Collective& collective);

/// Of all that are there; empty if all are proven. `collective` must be cut into the parts that the bounds
/// count in: those of a search into that of `schedule->collective` in its result. ChunkProblem::collective is
/// in one part, and for it true bounds of more parts seem refuted.
std::vector<std::string> refutations(const Bounds& bounds, const LinkNetwork& network,
                                     const Collective& collective);

/// The rounds that a certificate proves:
/// - cut: a chunk must leave the set as often as least_crossings() says (crossings.hpp): if some contribution
///   inside is owed outside, and once for each sum of those inside that no others outside make up.
/// - lengths: the links that carry a chunk contain a path from each contributor to each receiver of its
///   contribution, so that they are together as long as the longest of the shortest such paths. Optimal
///   lengths for all-to-all are the dual of the multicommodity flow (Shahrokhi and Matula, The maximum
///   concurrent flow problem, JACM 37, 1990).
/// - receptions: until the contributions of K processors are one sum, K - 1 sums have been received, and then
///   all but one of the receivers still receive (Patarasu and Yuan, Bandwidth optimal all-reduce algorithms
///   for clusters of workstations, JPDC 69, 2009). Counts chunks all of whose demands are for all
///   contributions; one that is owed to a single processor as often as it must come into one on its way, as
///   lengths say. Of boxes as of processors that can do all that their processors can together.
/// Nothing if no number of rounds is enough. Throws std::invalid_argument, one line, for a certificate that
/// is none of rounds (nodes that do not exist, lengths of the wrong number), std::overflow_error for numbers
/// too large.
std::optional<Ratio> proven_rounds(const Certificate& certificate, const LinkNetwork& network,
                                   const Collective& collective);

} // namespace nocturne
