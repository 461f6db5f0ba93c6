// The closed formula for a message on an idle network.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>

namespace nocturne {

/// Cycles from the source queue to the ejection of the last of `flits` flits along `route` on an idle
/// network. The head takes
///
///     interface + H * pipeline + sum over the H + 1 links of (latency + c - 1)
///
/// with H routers crossed, pipeline = Pipeline::cycles() of the routers (or switches), and c = cycles that a
/// link takes for a flit (1 unless it is narrower than a flit). Injection and ejection links have latency 1
/// and c = 1. The last flit comes flits - 1 cycles later if no link is narrow: with every delay 1 that is
/// 5H + 2 + (flits - 1). In general it comes later by the maximum over all links i of
///
///     c(i) + (flits - 2) * (largest c of link i and those behind it) - head * (number of routers behind i)
///
/// since flits spread out by a narrow link gain on the head, in each router, the Pipeline::head_cycles() that
/// only a head waits. Exact for buffers of at least full_rate_buffer_flits() of every link on the way.
std::uint64_t zero_load_cycles(const Topology& topology, const HardwareConfig& config, const Route& route,
                               std::uint64_t flits);

} // namespace nocturne
