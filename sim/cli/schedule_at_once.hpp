// `schedule NETWORK --collectives FILE`: several collectives at once.
#pragma once

#include "schedules/portfolio/portfolio.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/report/result_description.hpp"

namespace nocturne::cli {

/// Runs the command; the exit status. Throws as find_concurrent_schedule(), std::invalid_argument for options
/// of a single collective, and std::runtime_error for a list that cannot be read.
int schedule_at_once(const OptionValues& given, PortfolioOptions search);
const ResultDescription& collectives_at_once_result();

} // namespace nocturne::cli
