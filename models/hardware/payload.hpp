// What of the contents of messages is kept: their bytes, or a digest of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nocturne {

/// held: every byte. digest: a key of 64 bits instead, whatever the length.
enum class PayloadForm : std::uint8_t { held, digest };

/// `held` or `digest`; parsing throws std::invalid_argument for anything else.
std::string to_string(PayloadForm form);
PayloadForm parse_payload_form(std::string_view text);

} // namespace nocturne
