// Message sizes as they are written on a command line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// `1024`, `4K` or `4KiB` (both 4096; M, G and T likewise), a list `64,1024,4096`, or a range `64:65536`
/// (doubling) or `64:65536:x4` (NumberRange): the sizes in bytes, ascending, each once, 1 byte to 1 GiB: what
/// memories of a simulation hold. Throws std::invalid_argument naming option and text.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// One of them, without lists and ranges.
std::uint64_t parse_simulated_size(std::string_view text);

/// The same of what is not simulated, but has a time by a formula: up to 1 TiB.
std::uint64_t parse_size(std::string_view text);

/// Is the word a number with a unit of bytes, be it one that is refused: `64MiB`, `1MB`, `8T`?
bool has_unit_of_bytes(std::string_view word);

} // namespace nocturne::cli
