// The origin of a command's results: its version, its words, its options.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/origin.hpp"

#include <string>
#include <vector>

namespace nocturne::cli {

/// The name under which parse() keeps the command as it was called.
inline constexpr const char* command_line_key = "command line";

/// `nocturne`, the command and its arguments, quoted where a shell needs it.
std::string command_line(std::string_view command, const std::vector<std::string>& arguments);

/// Of what parse() returned. Switches that are off are left out.
Origin origin_of(const OptionValues& given);

} // namespace nocturne::cli
