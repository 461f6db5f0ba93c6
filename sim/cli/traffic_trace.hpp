// `nocturne traffic --trace`: the messages of an application.
#pragma once

#include "sim/cli/option_values.hpp"

namespace nocturne::cli {

/// Replays the trace on the network; prints and writes what is asked for. Returns the exit status.
int run_trace(const OptionValues& given);

} // namespace nocturne::cli
