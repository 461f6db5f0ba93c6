// What the transactions of a fabric have moved in its network.
#pragma once

#include "models/energy/activity.hpp"
#include "models/fabric/fabric.hpp"

namespace nocturne {

/// Flits and packets of all transactions that have ended, on the links of `fabric.plan().network` with one
/// port, from the beginning to now: each flow keeps to its route. Transactions on their way do not count. For
/// network_energy(). Throws std::invalid_argument for FabricTiming::fixed, which has no network.
Activity fabric_activity(const Fabric& fabric);

} // namespace nocturne
