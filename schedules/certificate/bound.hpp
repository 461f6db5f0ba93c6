// A lower bound as a value: the number, why it holds, and what somebody else needs to check it.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nocturne {

enum class BoundKind {
    port,       ///< what one processor must send or receive
    growth,     ///< how fast a message can spread at best
    dominator,  ///< how fast it can get into the parts of a network that have one way in
    distance,   ///< hops to the farthest receiver (store-and-forward)
    vertex_set, ///< what must enter or leave a set of routers (broadcasts)
    flow, ///< lengths on the channels: cuts, bisections and sums of distances are special cases (scatters)
    infeasibility, ///< a formula for schedules with fewer steps is proven unsatisfiable
};

/// A length for every channel, and for the port of every processor into and out of the network. No schedule
/// of a scatter has fewer steps than
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

enum class Direction { entering, leaving };

/// Routers that messages must enter (leave): every message from outside with a receiver inside, at least
/// once, through the channels into the set and the receive ports of its processors. Every processor injects
/// and is ejected on the same side. A set to enter that is the origin of no message proves as well what
/// receptions_of_set() says.
struct VertexSet {
    std::vector<RouterId> routers; ///< ascending
    Direction direction = Direction::entering;

    friend bool operator==(const VertexSet&, const VertexSet&) = default;
};

/// schedule_formula() for one step less cannot be satisfied; anybody can make it again from the problem.
struct InfeasibilityProof {
    std::string proof; ///< of that: DRAT, as text

    friend bool operator==(const InfeasibilityProof&, const InfeasibilityProof&) = default;
};

/// Nothing, where the checker computes the bound again from the problem alone (port, growth, dominator,
/// distance).
using Certificate = std::variant<std::monostate, ChannelLengths, VertexSet, InfeasibilityProof>;

/// No valid schedule of the problem has fewer than `steps` steps.
struct Bound {
    unsigned steps;
    BoundKind kind;
    std::string reason; ///< one sentence for people, with names and numbers
    Certificate certificate;
    /// Where something is added: it is that of what this processor contributes, alone, or if none is named of
    /// the problem run backwards (bounding_problem()).
    std::optional<ProcessorId> origin = std::nullopt;

    friend bool operator==(const Bound&, const Bound&) = default;
};

/// `port`, `vertex-set`, …; parsing throws std::invalid_argument with the list of kinds.
std::string to_string(BoundKind kind);
BoundKind parse_bound_kind(std::string_view text);

} // namespace nocturne
