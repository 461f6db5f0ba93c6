// Schedules of what is copied when it is run backwards.
#pragma once

#include "schedules/portfolio/portfolio.hpp"

namespace nocturne {

/// As find_schedule(), of a problem that is_copied_backwards(): by all engines that only copy.
PortfolioResult find_backwards(const Problem& problem, const PortfolioOptions& options);

} // namespace nocturne
