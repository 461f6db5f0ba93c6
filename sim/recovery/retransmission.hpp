// Owed deliveries without a schedule: sent again over what is left of the network.
#pragma once

#include "models/network/configuration.hpp"
#include "sim/execution/workload.hpp"
#include "sim/recovery/repair_plan.hpp"

namespace nocturne {

/// Each owed delivery from the nearest that has the message, with the deadlock-free routing `auto` of the
/// network that is left (see make_routing()); a processor sends as many at once as it has ports and does not
/// wait for others. Throws std::invalid_argument if the faults disconnect the network.
Workload send_again(const Topology& topology, const Collective& collective, PortModel ports,
                    const Faults& faults, const MessageOwners& owners, const HardwareConfig& hardware);

} // namespace nocturne
