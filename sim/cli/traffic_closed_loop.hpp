// `nocturne traffic --closed-loop`: requests and replies.
#pragma once

#include "sim/traffic/load_curves.hpp"

#include <boost/program_options.hpp>

#include <vector>

namespace nocturne::cli {

boost::program_options::options_description closed_loop_options();

/// Throws std::invalid_argument for an option of these without --closed-loop.
void require_closed_loop(const boost::program_options::variables_map& map);

/// Measures each curve's network, routing, pattern and seed with each number of outstanding requests, its
/// packet sizes being those of requests; prints and writes what is asked for. Returns the exit status.
int run_closed_loop(const boost::program_options::variables_map& map,
                    const std::vector<CurveSpecification>& curves, const CurveOptions& options);

} // namespace nocturne::cli
