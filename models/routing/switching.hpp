// How a message holds the channels of its path.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// Wormhole: a transfer holds its whole path for the step. Store-and-forward: a transfer is one hop.
enum class Switching { wormhole, store_and_forward };

/// `wormhole` or `store-and-forward`; `to_string` is its inverse. Throws std::invalid_argument otherwise.
Switching parse_switching(std::string_view text);
std::string to_string(Switching switching);

} // namespace nocturne
