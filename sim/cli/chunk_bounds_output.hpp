// What no schedule of chunks beats: found, printed, written and certified.
#pragma once

#include "sim/cli/option_values.hpp"

#include <string>

namespace nocturne::cli {

/// `nocturne bound` for chunks: finds, prints, writes; the exit status.
int bound_chunks(const OptionValues& given);

/// `nocturne certify` for a file of chunks: judges its schedule and its bounds; the exit status.
int certify_chunks(const OptionValues& given, const std::string& file);

} // namespace nocturne::cli
