// Networks made of networks: chiplets on an interposer, boxes of a cluster, as JSON that says 'four of these,
// joined by that'.
//
//     {
//       "format": "nocturne-composition", "version": 1,
//       "name": "four chiplets",
//       "parts": [
//         {"name": "chiplet", "count": 4, "network": "mesh:4x4"},
//         {"name": "interposer", "network": "mesh:2x2", "processors": false}
//       ],
//       "joints": [
//         {"from": "chiplet/00", "to": "interposer/*", "latency_cycles": 4, "width_bytes": 8}
//       ],
//       "ports": "all",                    as of a topology; may be left out where the parts agree
//       "with": ["link joint: vcs=4"]      rows of properties, in the names of the whole (part_rows.hpp)
//     }
//
// "network" is a specification, or a file of any format beside this one. A part of which there is one is
// called by its name, several are name0, name1, ...; their routers and processors by that, a slash and the
// name in the part: `chiplet2/13`. With "processors": false a part has none of its own. "places": [[0, 0],
// [6, 0], ...] is where the parts of a kind stand in a drawing, in router pitches; left out: in rows beside
// each other. "with": ["router *,3: clock=1/2", ...] are rows of properties of its routers and links
// (part_rows.hpp), in the names and coordinates that they have in the part.
//
// An end of a joint is PART/ROUTERS, or an array of such. ROUTERS is the name of a router, `*` for all of
// them or, in a part that is a grid, `[top]`, `[bottom]`, `[left]`, `[right]` for the first and last of the
// last two dimensions. PART is one part or, with the name of several, all of them in their order.
//
//     "pattern": "one-to-one"   the first of "from" with the first of "to", and so on: as many at both ends
//                "all-to-all"   each with each
//                "ring"         of several parts: "from" of each, one to one, with "to" of the next one, of
//                               the last one with the first one
//                "chain"        the same without the last
//
// Left out: one-to-one. "pairs": [["chiplet0/03", "chiplet1/00"], ...] in the place of from and to are single
// links. Every link is two channels, or one with "one_way": true, and "count" parallel ones with it.
// "latency_cycles", "width_bytes", "length", "buffer_flits" and "vcs" are those of a channel, which has the
// clock of the router that sends over it.
//
// "planes": {"tiles": "tile", "interfaces": "separate", ...} makes planes of all parts: networks on the same
// tiles, which share their processors and no link. The parts have as many routers, those of one number at one
// tile, where the planes end in a router `tile_in/13`, over channels with the properties of a joint.
//
//     "interfaces": "separate"  a processor for each plane that sends over this plane only, to whichever
//                               interface of a tile: `noc0/13`, `noc1/13`. One-port unless "ports" says
//                               otherwise. What one interface of a tile has received another one has not.
//                   "shared"    one processor for each tile, `tile/13`, that sends over `tile_out/13` into
//                               all planes, each message by the route that it gets. All-port: at once a
//                               message over each plane.
//
// Left out: separate. Where the parts have one grid the whole has it, with the planes, `tile_in` and
// `tile_out` as another dimension, the first; otherwise it knows the grid and the groups of each plane.
#pragma once

#include "models/topology/json_place.hpp"
#include "models/topology/topology.hpp"

#include <functional>
#include <string_view>

namespace nocturne {

inline constexpr std::string_view composition_format = "nocturne-composition";

/// The network that "network" of a part stands for. Throws std::invalid_argument if there is none.
using PartNetwork = std::function<Topology(std::string_view network)>;

/// The composition that a document describes. Routers, processors and channels are those of the parts in
/// their order, then what joins planes, then the channels of the joints in theirs. Grid, groups and tags of
/// the parts do not hold for the whole, but for those of planes; switches are crossbars only if all parts'
/// are. Throws std::runtime_error, one line with file and place, and what `part_network` throws of a file.
Topology compose(const JsonPlace& root, const PartNetwork& part_network);

} // namespace nocturne
