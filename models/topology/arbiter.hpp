// Which of several requests an arbiter prefers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

enum class ArbiterKind : std::uint8_t {
    round_robin, ///< the next in turn after the last that was served
    matrix,      ///< the one that was served least recently
    age,         ///< of the packet that entered its source queue first; then round-robin
    priority     ///< of the packet with the highest priority; then round-robin
};

std::string to_string(ArbiterKind kind);
std::vector<std::string> arbiter_names();
/// Throws std::invalid_argument with the names that there are.
ArbiterKind parse_arbiter(std::string_view name);

} // namespace nocturne
