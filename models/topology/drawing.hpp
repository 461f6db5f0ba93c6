// Pictures of networks, by Graphviz.
#pragma once

#include "models/topology/drawing_marks.hpp"
#include "models/topology/topology.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// The bytes of a picture of the network in `format`: `svg`, `png` or `pdf`; `dot` gives to_dot(). Networks
/// whose routers know their places are drawn there, multistage networks in columns and meshes as grids;
/// others as Graphviz lays them out. `marks` colours and labels parts of it. Throws std::invalid_argument for
/// another format, a network of more than largest_drawing_routers, or marks for another number of routers or
/// channels, and std::runtime_error if the Graphviz programs are not installed or fail; one line each.
std::string draw_topology(const Topology& topology, std::string_view format, const DrawingMarks& marks = {});

} // namespace nocturne
