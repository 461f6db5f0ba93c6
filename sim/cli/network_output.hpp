// Networks as files: in the format that is asked for, or that the name of the file ends in.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/cli/option_values.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace nocturne::cli {

/// Those of --format.
const std::vector<std::string>& network_formats();

/// The format that --format asks for, or else that of the name of --output; empty if neither is given. Throws
/// std::invalid_argument if it is none.
std::string network_format(const OptionValues& given);

/// The network in a format of network_format().
std::string in_network_format(const Topology& topology, const std::string& format);

/// Fields of what `topology` prints: its size and, unless it is too large or in parts, its distances.
nlohmann::ordered_json facts_of(const Topology& topology);

} // namespace nocturne::cli
