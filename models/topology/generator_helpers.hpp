// Names and places that several generators share.
#pragma once

#include "models/topology/topology.hpp"

#include <functional>
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

/// The name of the router at a place.
using NameOfPlace = std::function<std::string(std::span<const unsigned>)>;

/// Its coordinates: `01`, with commas once an extent exceeds 10.
NameOfPlace coordinate_names(const Grid& grid);

/// The routers of a grid, where a drawing has them with room for `processors` at each, and the grid itself,
/// but no links: for an empty topology.
void add_grid_routers(Topology& topology, const Grid& grid, const NameOfPlace& router_name,
                      unsigned processors = 1);

} // namespace nocturne
