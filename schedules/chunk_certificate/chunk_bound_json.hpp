// Bounds on rounds as JSON:
//
//     {"kind": "cut", "rounds": [7, 6], "cut": [0, 1, 2]}
//     {"kind": "lengths", "rounds": [8, 3], "lengths": [0, 1, 0, …]}
//     {"kind": "receptions", "rounds": [7, 4]}
//
// "rounds" is numerator and denominator. Nodes and links are those of the link network, by index.
#pragma once

#include "models/topology/json_place.hpp"
#include "schedules/chunk_certificate/chunk_bound.hpp"

namespace nocturne {

nlohmann::ordered_json to_json(const ChunkBound& bound);

/// Throws std::runtime_error in one line. Whether the bound is true is for refute().
ChunkBound read_chunk_bound(const JsonPlace& place);

} // namespace nocturne
