// What a network takes of this machine's memory.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// Routers of a Network that has SystemC modules for its parts.
inline constexpr std::size_t most_router_modules = 1024;

/// About what a Network takes before anything moves, bytes: its links with their two ends, and every place of
/// their buffers.
std::uint64_t network_bytes(const Topology& topology, const HardwareConfig& hardware, PortModel ports);

/// And the tables of its routers, if the routing is adaptive.
std::uint64_t network_bytes(const Topology& topology, const HardwareConfig& hardware, PortModel ports,
                            const Routing& routing);

/// What a run may take unless its user says otherwise, bytes.
std::uint64_t half_of_this_machine();

/// Throws std::invalid_argument, one line, for a run that takes more than `most` bytes.
void require_memory(std::uint64_t bytes, std::uint64_t most);

} // namespace nocturne
