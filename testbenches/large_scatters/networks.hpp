// Networks for large scatters that are no kinds of topology of their own.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <string_view>

namespace nocturne::large_scatters {

/// `dragonfly:h`: groups of 2h routers, each with h processors and h channels to other groups, and every
/// group linked to every other one by a link: 2h^2 (2h^2 + 1) processors, one-port, since a router serves h
/// of them (Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008,
/// with their balance a = 2p = 2h). Link j of a group leads to the group j + 1 further on, so that the
/// network looks the same from every group. Throws std::invalid_argument unless h is 1 to 16.
Topology make_dragonfly(unsigned h);

/// `random_regular:routers,degree,seed`: a simple connected graph in which every router, with a processor
/// each, has `degree` links, all-port. Free ends of links are joined at random, as long as the graph stays
/// simple (Steger and Wormald, Generating random regular graphs quickly, Combinatorics, Probability and
/// Computing 8, 1999), again from the start where that gets stuck. Throws std::invalid_argument unless degree
/// is at least 3 and less than the number of routers, which is at most 4096, and their product even.
Topology make_random_regular(unsigned routers, unsigned degree, std::uint64_t seed);

/// One of the above, or what topology_from() makes of the text. Throws as they do.
Topology make_network(std::string_view text);

} // namespace nocturne::large_scatters
