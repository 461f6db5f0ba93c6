// Long texts, made short and fit for JSON.
#pragma once

#include "models/topology/json_place.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace nocturne {

/// The text compressed (zlib, RFC 1950), in base64 (RFC 4648); an empty one stays empty.
std::string pack(std::string_view text);

/// What a packed text is unpacked to at most: a thousand times as much fits into as many bytes.
inline constexpr std::size_t largest_unpacked_bytes = std::size_t{1} << 30;

/// What pack() was given. Throws std::runtime_error, one line, for what pack() did not make, what has been
/// damaged since, and more than `most_bytes`.
std::string unpack(std::string_view packed, std::size_t most_bytes = largest_unpacked_bytes);

/// What is packed there. Throws as JsonPlace::fail() for what is damaged.
std::string unpacked_in(const JsonPlace& place);

} // namespace nocturne
