// Bytes as text: base64 (RFC 4648, section 4).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

std::string to_base64(std::span<const std::uint8_t> bytes);

/// Its inverse; `=` at the end may be missing. Throws std::runtime_error for a letter that is none of base64.
std::vector<std::uint8_t> from_base64(std::string_view text);

} // namespace nocturne
