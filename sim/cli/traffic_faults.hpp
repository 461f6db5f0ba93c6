// What fails while traffic runs, or before.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/traffic/load_curves.hpp"

namespace nocturne::cli {

OptionTable traffic_fault_options();

/// The network without what has failed from the beginning, if that is asked for. Throws
/// std::invalid_argument for faults that do not exist or that disconnect it.
Topology network_with_faults(const OptionValues& given, const Topology& topology);

/// What fails during the run.
FaultSpecification faults_of(const OptionValues& given);

} // namespace nocturne::cli
