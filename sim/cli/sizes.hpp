// Message sizes as they are written on a command line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// `1024`, `4K` or `4KiB` (both 4096; M and G likewise), a list `64,1024,4096`, or a range `64:65536`
/// (doubling) or `64:65536:x4` (NumberRange): the sizes in bytes, ascending, each once, 1 byte to 1 GiB.
/// Throws std::invalid_argument naming option and text.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// One of them, without lists and ranges.
std::uint64_t parse_size(std::string_view text);

} // namespace nocturne::cli
