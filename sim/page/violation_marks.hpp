// Where a schedule breaks the rules, for the picture of its network.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// `[{"text", "nodes": [page_node()…], "links": […]}…]` of the first violations, in their order: the channel,
/// or else the path of the transfer, and the processor, or else the ends of the transfer. `nodes`: of each
/// processor its page_node(). What is not in the network is left out.
nlohmann::ordered_json violation_marks(std::span<const Violation> violations, const Schedule& schedule,
                                       const Topology& topology, std::span<const std::uint32_t> nodes);
/// The same for messages between the processors of the topology.
nlohmann::ordered_json violation_marks(std::span<const Violation> violations, const Schedule& schedule,
                                       const Topology& topology);

} // namespace nocturne
