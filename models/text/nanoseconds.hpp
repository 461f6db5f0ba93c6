// Times as people and other tools write them: a number and its unit.
#pragma once

#include <optional>
#include <string_view>

namespace nocturne {

/// `10us`, `0.000025ms` in ns; of s, ms, us, ns and ps, 0 or more and a second at most. Nothing for other
/// texts.
std::optional<double> nanoseconds_of(std::string_view text);

} // namespace nocturne
