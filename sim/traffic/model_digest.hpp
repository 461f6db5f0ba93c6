// Which models this program was built from.
#pragma once

#include <string_view>

namespace nocturne {

/// Sixteen hexadecimal digits that change with the sources of topologies, routings, traffic, hardware and
/// measurement: what a simulation depends on besides its options.
std::string_view model_digest();

} // namespace nocturne
