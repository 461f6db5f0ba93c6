// How far a search has come, for people who wait.
#pragma once

#include "schedules/optimize/portfolio.hpp"

#include <string>
#include <string_view>

namespace nocturne::cli {

/// One line; `command` (`schedule`) begins it.
std::string progress_text(std::string_view command, const PortfolioProgress& now);

} // namespace nocturne::cli
