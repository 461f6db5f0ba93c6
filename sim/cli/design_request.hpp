// The options that say what network is to be designed, and by what it is judged.
#pragma once

#include "schedules/design/objective.hpp"
#include "schedules/design/request.hpp"
#include "sim/cli/option_values.hpp"

namespace nocturne::cli {

/// Nodes, links, processors, places and wires.
OptionTable design_request_options();
/// Throws std::invalid_argument for what is out of range or contradicts itself, std::runtime_error for a file
/// of places that cannot be read.
design::Request design_request_of(const OptionValues& given);

/// --weight.
OptionTable weight_options();
/// The weights of --weight, those left out being 0; without any the average and the maximum latency weigh 1
/// each. Throws std::invalid_argument for one that is no `NAME=NUMBER`, or has another name.
design::Objective objective_of(const OptionValues& given, const design::Request& request);

} // namespace nocturne::cli
