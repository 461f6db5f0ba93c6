// A routing that is a list of paths.
#pragma once

#include "models/routing/routing.hpp"
#include "models/topology/path.hpp"

#include <span>

namespace nocturne {

/// The path that messages from one processor to another take.
struct SourceRoute {
    ProcessorId source;
    ProcessorId destination;
    Path path;
};

/// The given paths, one class of virtual channels. The routing keeps a copy of them; the topology must
/// outlive it. Throws std::invalid_argument if a processor does not exist, a path does not connect its
/// processors, or a pair has two different paths; asking for the route of a pair that has none throws too.
Routing source_routes(const Topology& topology, std::span<const SourceRoute> routes);

} // namespace nocturne
