// What a network is designed for: its size, its links, and the limits that every candidate keeps.
#pragma once

#include "models/measures/graph.hpp"
#include "models/measures/moore_bound.hpp"
#include "models/topology/topology.hpp"

#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace nocturne::design {

using measures::LinkKind;
using measures::NodeId;

/// A link of a designed network. Between two nodes; a one-way link leads from `a` to `b`.
struct LinkEnds {
    std::uint32_t a;
    std::uint32_t b;

    friend bool operator==(const LinkEnds&, const LinkEnds&) = default;
    friend auto operator<=>(const LinkEnds&, const LinkEnds&) = default;
};

/// May two nodes have more than one link to each other (in the same direction, if one-way)?
enum class ParallelLinks { forbidden, allowed };

/// A node is a router; it has one processor unless `processors` says otherwise.
struct Request {
    NodeId nodes = 0;
    /// By node, or one number for all: ends of bidirectional links, or one-way links out, and as many in. The
    /// most that a node gets: an end stays empty only where the wire length leaves no place for it.
    std::vector<unsigned> degrees;
    LinkKind kind = LinkKind::bidirectional;
    ParallelLinks parallel = ParallelLinks::forbidden;
    /// By node; empty: one each. Nodes without any only pass messages on (a host-switch graph).
    std::vector<unsigned> processors = {};
    std::vector<Position> positions = {}; ///< by node; empty: not known, every wire has length 0
    /// Of a link, Manhattan distance of its nodes, in the unit of the positions.
    double longest_wire = std::numeric_limits<double>::infinity();
    /// 1 or more, a divisor of `nodes`: the network looks the same from v and from v + nodes / symmetry
    /// (modulo nodes), for every node v. Positions need not have the symmetry.
    unsigned symmetry = 1;

    unsigned degree(NodeId node) const { return degrees.size() == 1 ? degrees.front() : degrees[node]; }
    unsigned processors_at(NodeId node) const { return processors.empty() ? 1 : processors[node]; }
    /// Manhattan distance; 0 if positions are not known.
    double wire_length(NodeId a, NodeId b) const;
};

/// Throws std::invalid_argument, with the reason, for a request that no network can fulfil: fewer than two
/// nodes or processors, lists of another length than there are nodes, an odd sum of degrees, more links at a
/// node than there are others, too few links to join all nodes, wires too short to join them, or a symmetry
/// that does not divide the nodes or that degrees and processors do not have.
void check_request(const Request& request);

/// Does its symmetry divide the nodes, and do degrees and processors have it?
bool has_symmetry(const Request& request);

} // namespace nocturne::design
