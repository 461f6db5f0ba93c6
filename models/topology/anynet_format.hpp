// The network files of BookSim 2's `anynet` topology.
#pragma once

#include "models/topology/topology.hpp"

#include <string_view>

namespace nocturne {

/// Reads lines such as `router 0 node 0 router 1 15 router 2`: router 0 has processor 0, a channel of 15
/// cycles to router 1 and one of 1 cycle to router 2. As in BookSim, a channel back of 1 cycle is implied
/// unless some line gives it a latency of its own, naming a pair again replaces its latency, and lines may
/// start with `node`; `Router` and `NODE` will do. Each node is on one router; the latency of a node's own
/// wires is read and ignored: injection and ejection belong to the hardware. What follows `//` or `#` is a
/// comment. What is ignored and left open is remarked (InputLog::remark()). Routers and processors are named
/// by their numbers, in whose order they are, gaps or not; all-port. Throws std::runtime_error, one line that
/// begins with `origin` and the line number.
Topology topology_from_anynet(std::string_view text, std::string_view origin);

} // namespace nocturne
