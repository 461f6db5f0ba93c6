// Claims about schedules of chunks as JSON, the member "lower_bounds" of files of chunks:
//
//     {"steps": {"steps": 2, "from": 0, "to": 5},
//      "rounds": {"kind": "cut", "rounds": [7, 6], "cut": [0, 1, 2]},
//      "shapes": [{"steps": 2, "rounds": 7, "proof": "…"}],
//      "time": {"kind": "crossing", "cycles": 9606.0, "bytes_per_weight": 1024, "start_cycles": 0.5,
//               "latency_holds_link": true, "any_parts": true, "cut": [0]}}
//
// All members may be left out. "proof" is DRAT, compressed (packed_text.hpp). Of "time", "reach" has "from"
// and "to", "crossing" a "cut", "rounds" a bound on "rounds". Start-up, holding of links and parts
// are left out if they are 0 and false.
#pragma once

#include "models/topology/json_place.hpp"
#include "schedules/chunk_certificate/chunk_claims.hpp"

namespace nocturne {

nlohmann::ordered_json to_json(const ChunkClaims& claims);

/// Throws std::runtime_error in one line. Whether the claims hold is for refutations().
ChunkClaims read_chunk_claims(const JsonPlace& place);

} // namespace nocturne
