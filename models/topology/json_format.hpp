// Nocturne's own topology format: everything that a Topology holds, as JSON.
//
//     {
//       "format": "nocturne-topology", "version": 1,
//       "name": "clos:1,2,2",
//       "default_ports": "1",                              a number or "all"
//       "routers": [{"name": "c0s0", "x": 0, "y": 0.5}],   x and y only where the place in a drawing is
//                                                          known; "copies": true of one that multicasts
//       "processors": [{"name": "0", "injection": 0, "ejection": 4}],   router indices
//       "channels": [{"source": 0, "target": 2, "latency_cycles": 3, "width_bytes": 8, "length": 2.5}],
//       "grid": {"extent": [4, 4], "wraps": false},        only if there is one
//       "routers_per_group": 4,                            only if routers are in groups
//       "planes": [{"first": 0, "routers": 16, "grid": {...}, "routers_per_group": 4}],   only of planes of
//                                                          different grids; grid and groups if it has some
//       "tag_digits": [{"radix": 2, "free": true}, {"radix": 2, "divisor": 1}],   only if there are some
//       "switches": "crossbar",                            or "router"; left out: crossbar if there are tag
//                                                          digits
//       "failed": {"routers": ["11"], "processors": ["11"]}   names of what a fault has taken away; only if
//                                                          there are some
//     }
//
// Of a channel only source and target must be there: the latency is 1 cycle, width and length unknown.
// Indices follow from the order. Members that the format does not know are errors: most of them are misspelt.
#pragma once

#include "models/topology/json_place.hpp"
#include "models/topology/topology.hpp"

#include <string>
#include <string_view>

namespace nocturne {

std::string to_json(const Topology& topology);

/// The inverse of to_json. `origin` (the file) begins every error message; throws std::runtime_error, one
/// line with the place: a line and column, or the JSON pointer of the offending member.
Topology topology_from_json(std::string_view text, std::string_view origin);
/// The same for a text that is parsed already.
Topology topology_from_document(const nlohmann::json& document, std::string_view origin);

/// A channel without its ends, from the members of an object that are called so; its other members are not
/// looked at. Throws std::runtime_error with the place.
Channel read_channel_properties(const JsonPlace& place);

} // namespace nocturne
