// Whom messages reach with the help of processors that relay them.
#pragma once

#include "models/topology/topology.hpp"

#include <vector>

namespace nocturne {

/// By processor: can a message of `origin` get there under wormhole switching if every processor that it
/// comes to may pass it on? More than the channels say where processors inject and are ejected at different
/// routers. Includes the origin. Time O(routers + channels + processors). Throws std::invalid_argument if the
/// processor does not exist.
std::vector<bool> processors_reached(const Topology& topology, ProcessorId origin);

} // namespace nocturne
