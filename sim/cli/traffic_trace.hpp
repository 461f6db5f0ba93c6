// `nocturne traffic --trace`: the messages of an application.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/result_description.hpp"

namespace nocturne::cli {

/// Replays the trace on the network; prints and writes what is asked for. Returns the exit status.
int run_trace(const OptionValues& given);
const ResultDescription& trace_result();

} // namespace nocturne::cli
