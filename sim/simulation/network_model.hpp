// At which level a network is simulated.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// flit: every flit, in SystemC (models/hardware); worm: messages that take and release channels
/// (models/worm), at a cost that does not depend on their length.
enum class NetworkModel { flit, worm };

/// `flit` or `worm`; parsing throws std::invalid_argument for anything else.
std::string to_string(NetworkModel model);
NetworkModel parse_model(std::string_view text);

} // namespace nocturne
