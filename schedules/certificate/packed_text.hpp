// Long texts, made short and fit for JSON.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// The text compressed (zlib, RFC 1950), in base64 (RFC 4648); an empty one stays empty.
std::string pack(std::string_view text);

/// What pack() was given. Throws std::runtime_error, one line, for what pack() did not make, or what has been
/// damaged since.
std::string unpack(std::string_view packed);

} // namespace nocturne
