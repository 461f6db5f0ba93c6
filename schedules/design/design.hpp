// What the engines return: a network, its terms, and the topology that every other command reads.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/design/objective.hpp"
#include "schedules/design/request.hpp"

#include <string>
#include <vector>

namespace nocturne::design {

/// A designed network.
struct Design {
    std::vector<LinkEnds> links; ///< in ascending order; bidirectional ones have a < b
    double cost = 0;             ///< of the objective
    std::vector<Term> terms;     ///< of which that is the sum

    friend bool operator==(const Design&, const Design&) = default;
};

/// With cost and terms as they are measured.
Design make_design(const Request& request, const Objective& objective, std::vector<LinkEnds> links);

/// The network as a topology: a router for each node, at its position, with the processors of the request,
/// and channels with the lengths of their wires. Router names are the numbers of the nodes. Throws
/// std::invalid_argument if a link names no node.
Topology to_topology(const Request& request, const Design& design, const std::string& name);

} // namespace nocturne::design
