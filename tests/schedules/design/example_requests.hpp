// Requests of all kinds, and what their networks are by the plainest means.
#pragma once

#include "schedules/design/half_edges.hpp"
#include "schedules/design/hop_levels.hpp"
#include "schedules/design/request.hpp"

#include <span>
#include <string>
#include <vector>

namespace nocturne::test {

struct NamedRequest {
    std::string name;
    design::Request request;
};

/// Bidirectional, one-way, symmetric, host-switch and wire-limited ones of some 20 to 150 nodes.
std::vector<NamedRequest> example_requests();

/// A random network of the request, its ends all linked where possible.
design::HalfEdges random_network(const design::Request& request, std::uint64_t seed);

/// By one breadth-first search a node.
design::HopTotals hops_by_search(const design::Request& request, std::span<const design::LinkEnds> links);

/// What is wrong with the links: too many at a node, from a node to itself, parallel, too long, or without
/// the symmetry; empty if nothing is.
std::string find_violation(const design::Request& request, std::span<const design::LinkEnds> links);

} // namespace nocturne::test
