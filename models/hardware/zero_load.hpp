// The closed formula for a message on an idle network.
#pragma once

#include "models/hardware/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>

namespace nocturne {

/// Cycles from the source queue to the ejection of the last of `flits` flits along `route` on an idle
/// network:
///
///     interface + H * pipeline + sum over the H + 1 links of (latency + c - 1) + (flits - 1) * max c
///
/// with H routers crossed, pipeline = Pipeline::cycles() of the routers (or switches), and c = cycles that a
/// link takes for a flit (1 unless it is narrower than a flit). Injection and ejection links have latency 1
/// and c = 1. With every delay 1 it is 5H + 2 + (flits - 1). Exact for buffers of at least
/// full_rate_buffer_flits() of every link on the way.
std::uint64_t zero_load_cycles(const Topology& topology, const HardwareConfig& config, const Route& route,
                               std::uint64_t flits);

} // namespace nocturne
