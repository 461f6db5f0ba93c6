// How a message holds the channels of its path.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// Wormhole: a transfer holds its whole path for the step. Store-and-forward: a transfer is one hop. Memory
/// to memory, as DMA engines send: every processor on the way stores what comes, and links are shared by what
/// they carry in a step, or carry one transfer after the other.
enum class Switching { wormhole, store_and_forward, memory_to_memory };

/// `wormhole` or `store-and-forward`, which problems have; `to_string` is its inverse. Throws
/// std::invalid_argument otherwise.
Switching parse_switching(std::string_view text);
std::string to_string(Switching switching);

} // namespace nocturne
