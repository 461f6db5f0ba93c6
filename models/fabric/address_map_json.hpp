// Address maps in JSON.
#pragma once

#include "models/fabric/address_map.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Reads
///
///     {"ranges": [{"target": "ram", "first": "0x0", "last": "0xffff"},
///                 {"target": "uart", "first": "0x10000", "bytes": 4096, "addresses": "absolute",
///                  "priority": 1, "initiators": ["cpu0"]}],
///      "default_target": "ram"}
///
/// where a range has either `last` or `bytes`, and every number may be a number or a text, decimal or with
/// `0x`. `origin` is the file's name. Throws std::runtime_error, one line with `origin` and the place in the
/// document, for what is no such document; what AddressMap throws becomes the same.
AddressMap parse_address_map(std::string_view text, std::string_view origin);

/// The same from a file; throws std::runtime_error if it cannot be read.
AddressMap read_address_map(const std::string& file);

} // namespace nocturne
