// Transfers into as early steps as their order, channels and ports allow.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/conversion/message_order.hpp"
#include "schedules/schedule/schedule.hpp"

#include <span>
#include <vector>

namespace nocturne {

/// Greedily, in the order of `transfers` as far as the constraints, between indices of these, let it.
/// Transfers none of which may come before another are put in one step. Throws std::invalid_argument, one
/// line, where they do not fit into one.
std::vector<Step> pack_into_steps(std::vector<Transfer> transfers,
                                  std::span<const StepConstraint> constraints, const Topology& topology,
                                  PortModel ports);

} // namespace nocturne
