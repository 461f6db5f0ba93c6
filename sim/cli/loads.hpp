// Loads as they are written on a command line.
#pragma once

#include <string_view>
#include <vector>

namespace nocturne::cli {

/// `0.1`, a list `0.1,0.2`, or a range `0.02:0.4:0.02` (NumberRange): loads in flits per processor and cycle,
/// ascending, each once, at most 10000 of them. Throws std::invalid_argument naming option and text.
std::vector<double> parse_loads(std::string_view text);

/// Instead of loads: those at which the flows of an application have their rates.
inline constexpr std::string_view rates_of_application = "rates";
/// Throws as parse_loads(), but for that.
void check_loads(std::string_view text);

} // namespace nocturne::cli
