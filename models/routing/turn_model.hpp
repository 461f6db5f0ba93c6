// Turn models for meshes: adaptive routing without virtual channels, made deadlock-free by forbidden turns.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// Minimal adaptive routings on meshes that are deadlock-free with one virtual channel: of the turns that
/// messages could take so many are forbidden that the others close no cycle. Routers choose among the outputs
/// that are left, as for AdaptiveRouting; there are no escape channels, as none are needed.
///
/// Directions are those of a drawing: of two dimensions the last is the column, the other one the row; west
/// and north lead to lower columns and rows, east and south to higher ones. `negative` is towards lower
/// coordinates.
///
/// C. J. Glass and L. M. Ni, The turn model for adaptive routing, J. ACM 41(5), 1994 (first in ISCA 1992),
/// for the first three; G.-M. Chiu, The odd-even turn model for adaptive routing, IEEE Trans. Parallel and
/// Distributed Systems 11(7), 2000, for the last.
enum class TurnModel : std::uint8_t {
    /// Two dimensions. Forbidden: from north and from south to west. So all hops to the west come first, and
    /// a message to the west has one path; to the east it may take any minimal one.
    west_first,
    /// Two dimensions. Forbidden: from north to west and to east. So hops to the north come last, and a
    /// message to the north has one path.
    north_last,
    /// Any number of dimensions. Forbidden: from a positive direction to a negative one. So all negative hops
    /// come first, in any order, then all positive ones, in any order.
    negative_first,
    /// Two dimensions. Forbidden: in even columns from east to north and from east to south, in odd columns
    /// from north and from south to west. A message to the east so turns towards its row in odd columns, or
    /// where it has been injected, and to the west it leaves its row in even ones.
    odd_even
};

/// `west_first`, `north_last`, `negative_first` or `odd_even`, as its name. `seed` is that of random
/// selection. The topology must outlive the routing. Throws std::invalid_argument unless the topology is a
/// complete mesh, with its links and no others, of so many dimensions.
Routing turn_model(const Topology& topology, TurnModel model, std::uint64_t seed = 1);

} // namespace nocturne
