// Is a text UTF-8, as JSON and SVG demand of every name in them, and does it say so?
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace nocturne {

/// Index of the first byte that begins no character of UTF-8 (overlong forms and surrogates are none either);
/// nothing if all do.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Throws std::runtime_error, `net.dot: line 3: not UTF-8`, unless all of `text` is UTF-8; `origin` is the
/// file's name.
void require_utf8(std::string_view text, std::string_view origin);

/// The text behind the byte-order mark by which some editors say that it is UTF-8, if it begins with one.
std::string_view without_byte_order_mark(std::string_view text);

} // namespace nocturne
