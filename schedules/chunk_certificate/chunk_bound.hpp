// Lower bounds on the rounds of chunked schedules, and what lets a checker confirm them. Nothing of a search
// is in it.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// A rational number of 0 or more in lowest terms.
struct Ratio {
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 1; ///< 1 or more

    friend bool operator==(const Ratio&, const Ratio&) = default;
};

/// Throws std::invalid_argument for a denominator of 0, std::overflow_error if the lowest terms are too
/// large.
Ratio make_ratio(std::uint64_t numerator, std::uint64_t denominator);
bool operator<(const Ratio& a, const Ratio& b);
/// `7/6`, or `7` if it is whole.
std::string to_string(const Ratio& ratio);

enum class ChunkBoundKind {
    cut,        ///< what must leave a set of nodes, over what its links carry in a round
    lengths,    ///< how far all must travel at least, over what all links carry so far in a round
    receptions, ///< how often processors receive at least, over what comes into processors in a round
};

/// No schedule of the collective on the network takes fewer rounds, whatever its steps; without barriers:
/// less time than `rounds` times the time of a chunk of weight 1 on a link of one unit.
struct ChunkBound {
    ChunkBoundKind kind = ChunkBoundKind::cut;
    Ratio rounds;
    std::vector<NodeId> cut = {};            ///< the set, ascending; of cuts only
    std::vector<std::uint64_t> lengths = {}; ///< by link, at most max_length; of lengths only

    friend bool operator==(const ChunkBound&, const ChunkBound&) = default;
};

inline constexpr std::uint64_t max_length = 1'000'000;

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
///   contributions.
/// Nothing if no number of rounds is enough. Throws std::invalid_argument, one line, for a certificate that
/// is none (nodes that do not exist, lengths of the wrong number), std::overflow_error for numbers too large.
std::optional<Ratio> proven_rounds(const ChunkBound& bound, const LinkNetwork& network,
                                   const Collective& collective);

/// Why the bound is not proven by its certificate, in one line; nothing if it is.
std::optional<std::string> refute(const ChunkBound& bound, const LinkNetwork& network,
                                  const Collective& collective);

/// `{0, 1, 2}` by their names; of many `all but {7}`, or their number.
std::string describe_nodes(const std::vector<NodeId>& nodes, const LinkNetwork& network);
/// What it is that so many rounds are for: `what must leave {0, 1, 2}`.
std::string describe(const ChunkBound& bound, const LinkNetwork& network);

std::string_view to_string(ChunkBoundKind kind);

} // namespace nocturne
