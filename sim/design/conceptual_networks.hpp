// The networks with names that a designer would otherwise take.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The direct networks of the generators with so many processors, one at each router, and at most `degree`
/// channels out of and into each router: rings, octagons, tori and meshes of every shape, hypercubes,
/// folded hypercubes, De Bruijn and Kautz digraphs, complete graphs, and the two Moore graphs that have
/// generators. A mesh is left out where the torus of its shape is there. None for fewer than two processors.
std::vector<Topology> conceptual_networks(std::uint32_t processors, unsigned degree);

} // namespace nocturne
