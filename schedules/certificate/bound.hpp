// A lower bound as a value: what no schedule beats, why, and what somebody else needs to check it. Nothing of
// a search is in it.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/alpha_beta.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nocturne {

/// A rational number of 0 or more in lowest terms.
struct Ratio {
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 1; ///< 1 or more

    friend bool operator==(const Ratio&, const Ratio&) = default;
};

/// Throws std::invalid_argument for a denominator of 0.
Ratio make_ratio(std::uint64_t numerator, std::uint64_t denominator);
bool operator<(const Ratio& a, const Ratio& b);
/// The next whole number.
inline std::uint64_t rounded_up(const Ratio& ratio)
{
    return ratio.numerator / ratio.denominator + (ratio.numerator % ratio.denominator == 0 ? 0 : 1);
}
inline double to_double(const Ratio& ratio)
{
    return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
}
/// `7/6`, or `7` if it is whole.
std::string to_string(const Ratio& ratio);

// Certificates, each named for its argument. First those of messages in steps. The checker computes the bound
// again from the problem alone where there is nothing in one.

struct PortCount { ///< `port`: what one processor must send or receive
    friend bool operator==(const PortCount&, const PortCount&) = default;
};
struct MessageGrowth { ///< `growth`: how fast a message can spread at best
    friend bool operator==(const MessageGrowth&, const MessageGrowth&) = default;
};
struct Dominators { ///< `dominator`: how fast it can get into the parts of a network that have one way in
    friend bool operator==(const Dominators&, const Dominators&) = default;
};
struct FarthestReceiver { ///< `distance`: hops to the farthest receiver (store-and-forward)
    friend bool operator==(const FarthestReceiver&, const FarthestReceiver&) = default;
};

enum class Direction { entering, leaving };

/// `vertex-set`, of broadcasts: routers that messages must enter (leave): every message from outside with a
/// receiver inside, at least once, through the channels into the set and the receive ports of its processors.
/// Every processor injects and is ejected on the same side. A set to enter that is the origin of no message
/// proves as well what receptions_of_set() says.
struct VertexSet {
    std::vector<RouterId> routers; ///< ascending
    Direction direction = Direction::entering;

    friend bool operator==(const VertexSet&, const VertexSet&) = default;
};

/// `flow`, of scatters: a length for every channel, and for the port of every processor into and out of the
/// network. Cuts, bisections and sums of distances are special cases. No schedule of a scatter has fewer
/// steps than
///     ceil(sum over messages of the length of a shortest path / sum over channels and ports of length x
///     capacity)
/// where a channel carries 1 message a step and a processor sends and receives as many as its port model
/// says: linear programming duality. Only ratios of lengths count, so integers are exact rationals.
struct ChannelLengths {
    std::vector<std::int64_t> channels;   ///< 0 or more, by channel
    std::vector<std::int64_t> injections; ///< 0 or more, by processor
    std::vector<std::int64_t> ejections;  ///< 0 or more, by processor

    friend bool operator==(const ChannelLengths&, const ChannelLengths&) = default;
};

/// `infeasibility`: a formula for schedules with less is unsatisfiable; anybody can make it again.
/// - Of messages in steps: schedule_formula() for one step less.
/// - Of chunks in rounds: step_formula() for those steps and one round less, without orbits. If something is
///   added, and each sum has one receiver: for that of the reversed collective, on the network with every
///   link turned round and switches that do not copy.
struct InfeasibilityProof {
    std::string proof; ///< of that: DRAT, as text

    friend bool operator==(const InfeasibilityProof&, const InfeasibilityProof&) = default;
};

// Certificates of chunks.

/// `reach`: a contribution of `from` is owed to `to`, which is so many transfers, or so much time, away: a
/// transfer leads over a link, or several with plain switches between.
struct FarthestPair {
    std::uint32_t from = 0; ///< processor
    std::uint32_t to = 0;   ///< processor

    friend bool operator==(const FarthestPair&, const FarthestPair&) = default;
};

/// `cut`: what must leave a set of nodes, over what its links carry in a round, or in that time.
struct NodeCut {
    std::vector<NodeId> nodes; ///< ascending

    friend bool operator==(const NodeCut&, const NodeCut&) = default;
};

inline constexpr std::uint64_t max_length = 1'000'000;

/// `lengths`: how far all must travel at least, over what all links carry so far in a round.
struct LinkLengths {
    std::vector<std::uint64_t> lengths; ///< by link, at most max_length

    friend bool operator==(const LinkLengths&, const LinkLengths&) = default;
};

/// `receptions`: how often processors receive at least, over what comes into processors in a round.
struct Receptions {
    /// Sets of nodes without a common one, each ascending, that count as one processor each, whatever happens
    /// inside: boxes of processors and their switches. All other processors count for themselves.
    std::vector<std::vector<NodeId>> boxes = {};

    friend bool operator==(const Receptions&, const Receptions&) = default;
};

using Certificate =
    std::variant<PortCount, MessageGrowth, Dominators, FarthestReceiver, VertexSet, ChannelLengths,
                 InfeasibilityProof, FarthestPair, NodeCut, LinkLengths, Receptions>;

/// What there is no less of.
enum class Measure {
    steps,           ///< of a schedule, of messages or of chunks
    rounds,          ///< of chunks: whatever the steps; without barriers: times that of one
    rounds_in_steps, ///< of chunks: of schedules with at most so many steps
    cycles,          ///< of chunks: with or without barriers, at the costs given
};

/// No valid schedule has less.
struct Bound {
    unsigned steps = 0;      ///< of rounds_in_steps: the most that such a schedule has
    std::string reason = {}; ///< one sentence for people, with names and numbers; empty: see describe()
    Certificate certificate = {};
    /// Of messages of which something is added: it is that of what this processor contributes, alone, or if
    /// none is named of the problem run backwards (bounding_problem()) or, where that cannot be, of the sums
    /// themselves.
    std::optional<ProcessorId> origin = std::nullopt;

    Measure measure = Measure::steps;
    /// Of cycles: if more than 0, the certificate is that of so many rounds, which take these cycles.
    Ratio rounds = {};
    double cycles = 0;
    AlphaBeta cost = {}; ///< of cycles
    /// Of cycles: not only for the collective's own parts, but for blocks that are cut into any number of
    /// them.
    bool holds_for_any_parts = false;
    /// Of cycles: it is one of the chunks that are released at this time or later (released_from()), and
    /// counts from 0 all the same.
    std::uint64_t released_from = 0;

    friend bool operator==(const Bound&, const Bound&) = default;
};

/// What is known of a collective in chunks. Any of these may be missing.
struct Bounds {
    std::optional<Bound> steps = std::nullopt;
    std::optional<Bound> rounds = std::nullopt;
    std::vector<Bound> rounds_in_steps = {};
    std::optional<Bound> cycles = std::nullopt;

    bool empty() const { return !steps && !rounds && rounds_in_steps.empty() && !cycles; }

    friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// `port`, `vertex-set`, `cut`, …: what kind of bound it is.
std::string_view kind_of(const Certificate& certificate);
inline std::string_view kind_of(const Bound& bound)
{
    return kind_of(bound.certificate);
}

/// `{0, 1, 2}` by their names; of many `all but {7}`, or their number.
std::string describe_nodes(const std::vector<NodeId>& nodes, const LinkNetwork& network);
/// Of chunks, for people: what it is that cannot be beaten, as `what must leave {0, 1}`.
std::string describe(const Bound& bound, const LinkNetwork& network);

} // namespace nocturne
