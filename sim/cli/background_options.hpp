// Traffic beside a collective, on the command line.
#pragma once

#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/simulation/background.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace nocturne::cli {

OptionTable background_options();

/// Nothing without --background. Throws std::invalid_argument for one of the other options without it.
std::optional<BackgroundTraffic> background_of(const OptionValues& given);

/// Its routing on this network, whose classes of virtual channels come behind those of the messages. Throws
/// what make_routing() and with_vc_class_offset() throw.
Routing routing_of(const BackgroundTraffic& background, const Topology& topology, const PathCost& cost);

/// How many classes of virtual channels it takes on this network: 0 for nothing. Throws as
/// routing_of().
unsigned vc_classes_of(const std::optional<BackgroundTraffic>& background, const Topology& topology,
                       const PathCost& cost);

} // namespace nocturne::cli
