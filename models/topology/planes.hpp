// Several networks on the same tiles, which share their processors and no link: the planes of a composition.
#pragma once

#include "models/topology/json_place.hpp"
#include "models/topology/topology.hpp"

#include <memory>
#include <span>
#include <string>

namespace nocturne {

/// A network in the whole that is composed of several.
struct PlacedPart {
    std::string name;
    std::shared_ptr<const Topology> network;
    RouterId first = 0; ///< its router 0 in the whole
    bool has_processors = true;
    std::optional<Position> place = {};
};

/// Joins planes, which are all routers of `whole`, to the tiles that they share, as `place`, the member
/// `planes` of a composition, says (composition.hpp). Sets the processors, their ports, and the grid or
/// the planes' own. Throws
/// std::runtime_error with the place for planes that differ in their number of routers, or in their
/// processors where these are shared.
void join_planes(Topology& whole, std::span<const PlacedPart> planes, const JsonPlace& place);

} // namespace nocturne
