// Whole files in and out, with errors that name the file and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace nocturne {

/// The largest file that read_file accepts: far more than any topology, schedule or configuration needs.
inline constexpr std::uintmax_t largest_file_bytes = std::uintmax_t{256} << 20;

/// The bytes of a file. Throws std::runtime_error (`net.json: cannot read: Is a directory`) if it is missing,
/// a directory, unreadable, or larger than largest_file_bytes.
std::string read_file(const std::filesystem::path& path);

/// Puts `content` where readers of `path` see the old file or the whole new one, never half of it: it is
/// written beside `path`, then renamed. What is no regular file (/dev/stdout, a pipe) is written to as it is.
/// Throws std::runtime_error (`out.json: cannot write: No space left on device`) and leaves nothing behind on
/// failure.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// `text` with a space for each control character: what comes from a file must not break the line of a
/// message.
std::string one_line(std::string text);

} // namespace nocturne
