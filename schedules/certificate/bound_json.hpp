// Bounds as JSON, which result files carry. Of messages in steps:
//
//     {"steps": 22, "kind": "flow", "reason": "…",
//      "certificate": {"channels": [["01", "02", 1], [7, 2]], "injections": [["00", 1]], "ejections": []}}
//     {"steps": 15, "kind": "vertex-set", "reason": "…",
//      "certificate": {"routers": ["00"], "direction": "entering"}}
//     {"steps": 8, "kind": "infeasibility", "reason": "…", "certificate": {"proof": "…"}}
//
// - Lengths are listed where they are not 0: of a channel by the names of its ends, by its index where
//   parallel channels make these ambiguous; of a port by its processor.
// - A vertex is a name, or its index as a number. A text that is no name is an index too, `#` and an index
//   always is.
// - A proof is DRAT, as text, compressed and in base64 (packed_text.hpp).
// - Ports, growth, dominators and distance need no certificate: the checker computes them again.
// - "slack" may stand there for readers: what it says is the problem's, and is not looked at.
//
// bound.schema.json is the same in JSON Schema (draft 4). Of chunks, all together, and all may be left out:
//
//     {"steps": {"steps": 2, "from": 0, "to": 5},
//      "rounds": {"kind": "cut", "rounds": [7, 6], "cut": [0, 1, 2]},
//      "shapes": [{"steps": 2, "rounds": 7, "proof": "…"}],
//      "time": {"kind": "crossing", "cycles": 9606.0, "bytes_per_weight": 1024, "start_cycles": 0.5,
//               "latency_holds_link": true, "any_parts": true, "cut": [0]}}
//
// - Nodes and links are those of the link network, by index. Rounds are numerator and denominator.
// - "rounds" may be {"kind": "lengths", "rounds": [8, 3], "lengths": [0, 1, 0, …]} and
//   {"kind": "receptions", "rounds": [7, 4]}, too, the latter also of boxes, with the nodes of each:
//   "boxes": [[0, 1, 8], [2, 3, 9]].
// - A shape is one that no schedule has: the bound is one round more.
// - Of "time", "reach" has "from" and "to", "crossing" a "cut", "rounds" a bound on "rounds"; "lengths" and
//   "receptions" are as those of rounds. Start-up, holding of links, parts and "released_from" are left out
//   if they are 0 and false.
#pragma once

#include "models/topology/json_place.hpp"
#include "schedules/certificate/bound.hpp"

#include <string_view>

namespace nocturne {

/// The JSON Schema of a bound of messages.
std::string_view bound_schema();

/// Comes back from parse_bound() as it was. Throws std::invalid_argument if the certificate is one of chunks,
/// or for another number of channels, processors or routers.
nlohmann::ordered_json to_json(const Bound& bound, const Topology& topology);

/// The bound in `json`. `origin` (the file, or the file and where in it) begins every error message. Throws
/// std::runtime_error, one line with the JSON pointer and the reason. Whether the bound is true is for
/// refute().
Bound parse_bound(const nlohmann::json& json, const Topology& topology, std::string_view origin);

/// Of chunks. Comes back from read_bounds() as it was.
nlohmann::ordered_json to_json(const Bounds& bounds);

/// Throws std::runtime_error in one line. Whether the bounds hold is for refutations().
Bounds read_bounds(const JsonPlace& place);

} // namespace nocturne
