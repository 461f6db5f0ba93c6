// Bounds as JSON, which result files carry:
//
//     {"steps": 22, "kind": "flow", "reason": "…",
//      "certificate": {"channels": [["01", "02", 1], [7, 2]], "injections": [["00", 1]], "ejections": []}}
//     {"steps": 15, "kind": "vertex-set", "reason": "…", "certificate": {"routers": ["00"], "direction":
//     "entering"}} {"steps": 8, "kind": "infeasibility", "reason": "…", "certificate": {"proof": "…"}}
//
// - Lengths are listed where they are not 0: of a channel by the names of its ends, by its index where
//   parallel channels make these ambiguous; of a port by its processor.
// - A vertex is a name, or its index as a number. A text that is no name is an index too, `#` and an index
//   always is.
// - A proof is DRAT, as text, compressed and in base64 (packed_text.hpp): that schedule_formula() for one
//   step less cannot be satisfied.
// - Ports, growth and distance need no certificate: the checker computes them again.
// - "slack" may stand there for readers: what it says is the problem's, and is not looked at.
//
// bound.schema.json is the same in JSON Schema (draft 4).
#pragma once

#include "schedules/certificate/bound.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace nocturne {

/// The JSON Schema of the format.
std::string_view bound_schema();

/// Comes back from parse_bound() as it was. Throws std::invalid_argument if the certificate is for another
/// number of channels, processors or routers.
nlohmann::ordered_json to_json(const Bound& bound, const Topology& topology);

/// The bound in `json`. `origin` (the file, or the file and where in it) begins every error message. Throws
/// std::runtime_error, one line with the JSON pointer and the reason. Whether the bound is true is for
/// refute().
Bound parse_bound(const nlohmann::json& json, const Topology& topology, std::string_view origin);

} // namespace nocturne
