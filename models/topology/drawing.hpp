// Pictures of networks, by Graphviz.
#pragma once

#include "models/topology/drawing_marks.hpp"
#include "models/topology/topology.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The bytes of a picture of the network in `format`: `svg`, `png` or `pdf`; `dot` gives to_dot(). Networks
/// whose routers know their places are drawn there, multistage networks in columns and meshes as grids;
/// others as Graphviz lays them out. `marks` colours and labels parts of it. Throws std::invalid_argument for
/// another format, a network of more than largest_drawing_routers, or marks for another number of routers or
/// channels, and std::runtime_error if the Graphviz programs are not installed or fail; one line each.
std::string draw_topology(const Topology& topology, std::string_view format, const DrawingMarks& marks = {});

/// Where the parts of a network are in a drawing, in units of one router pitch; y grows downwards.
struct DrawingPlaces {
    std::vector<Position> routers;
    std::vector<Position> sources; ///< of processors, where they inject
    std::vector<Position> sinks;   ///< of processors, where they are ejected to; the same place at one router
    std::vector<std::array<Position, 4>> channels; ///< cubic Bezier curves, from source to target
};

/// The places of draw_topology(). Of networks that are too large for it, where Graphviz would have to find
/// them, rows of routers by their numbers. Throws std::runtime_error as draw_topology() does.
DrawingPlaces drawing_places(const Topology& topology);

} // namespace nocturne
