// The origin of a command's results: its version, its words, its options.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/origin.hpp"

#include <string>
#include <vector>

namespace nocturne::cli {

/// `nocturne`, the command and its arguments, quoted where a shell needs it.
std::string command_line(std::string_view command, const std::vector<std::string>& arguments);

/// Of these values. Switches that are off are left out.
Origin origin_of(const OptionValues& given);

} // namespace nocturne::cli
