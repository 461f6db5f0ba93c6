// `nocturne traffic` over loads: latency curves and saturation.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/result_description.hpp"
#include "sim/traffic/load_curves.hpp"

#include <vector>

namespace nocturne::cli {

/// A curve for each combination and, side by side, each seed.
std::vector<CurveSpecification> curves_of(const OptionValues& given);

CurveOptions measurement_of(const OptionValues& given);

/// Measures the curves; prints and writes what is asked for. Returns the exit status.
int run_curves(const OptionValues& given);
const ResultDescription& traffic_result();

} // namespace nocturne::cli
