// At which level a network is simulated.
#pragma once

#include "models/network/message_network.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace nocturne {

/// flit: every flit, in SystemC (models/hardware); worm: messages that take and release channels
/// (models/worm), at a cost that does not depend on their length.
enum class NetworkModel { flit, worm };

/// `flit` or `worm`; parsing throws std::invalid_argument for anything else.
std::string to_string(NetworkModel model);
NetworkModel parse_model(std::string_view text);

/// The network for the routes of a routing. Only one at the flit level fits a process (SystemC elaborates
/// once): a second one is a std::logic_error. Throws std::invalid_argument as Network or WormNetwork does,
/// and for an adaptive routing at the message level.
std::unique_ptr<MessageNetwork> make_network(NetworkModel model, const Topology& topology,
                                             const HardwareConfig& hardware, PortModel ports,
                                             const Routing& routing);

/// About what such a network takes of this machine's memory.
std::uint64_t network_bytes(NetworkModel model, const Topology& topology, const HardwareConfig& hardware,
                            PortModel ports, const Routing& routing);

} // namespace nocturne
