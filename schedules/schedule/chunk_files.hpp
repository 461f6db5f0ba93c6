// Files of the format "nocturne-chunks", which schedules of chunks had before they were schedules like
// others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// The text of such a file in version 3 of the format of schedules (schedule_json.hpp); nothing for any
/// other. In it "transfers" lists all of them; each has its "step", places are "chunk", or else "read" and
/// "write", and paths are "links". Throws std::runtime_error, one line that begins with `origin`, for what
/// has no place there; the rest is for the reader of schedules.
std::optional<std::string> renewed_chunk_file(std::string_view text, std::string_view origin);

} // namespace nocturne
