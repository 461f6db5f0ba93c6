// `nocturne traffic --closed-loop`: requests and replies.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/traffic/load_curves.hpp"

#include <vector>

namespace nocturne::cli {

OptionTable closed_loop_options();

/// Virtual channels of each link that replies have; 0: half of them. Throws std::invalid_argument where --vcs
/// or --message-classes do not go with it.
unsigned reply_vcs_of(const OptionValues& given);

/// Measures each curve's network, routing, pattern and seed with each number of outstanding requests, its
/// packet sizes being those of requests; prints and writes what is asked for. Returns the exit status.
int run_closed_loop(const OptionValues& given, const std::vector<CurveSpecification>& curves,
                    const CurveOptions& options);

} // namespace nocturne::cli
