// Names and places that several generators share.
#pragma once

#include "models/topology/topology.hpp"

#include <span>
#include <string>

namespace nocturne {

/// `digits` as a name: `012` if every digit is one character (`base` at most 10), otherwise `0,11,2`.
std::string digit_name(std::span<const unsigned> digits, unsigned base);

/// The `count` digits of `value` in base `base`, the most significant first.
std::vector<unsigned> digits_of(std::uint64_t value, unsigned base, std::size_t count);

/// Place i of n on a circle around (0, 0), clockwise from the top, neighbours `pitch` apart.
Position on_circle(unsigned i, unsigned n, double pitch = 1.0);
/// The radius of that circle; 0 for one place.
double on_circle_radius(unsigned n, double pitch = 1.0);

/// `each` processors at every router. One carries its router's name, and the network stays all-port; several,
/// each*r to each*r + each-1 at router r, are named by their number, and the network is one-port.
void attach_processors(Topology& topology, unsigned each);

} // namespace nocturne
