// A network that stopped with packets in it, as a result.
#pragma once

#include "models/hardware/network.hpp"
#include "sim/report/results.hpp"

namespace nocturne {

/// Who waits for whom in a network that is quiet; `reason` says that it is a deadlock, or how many messages are stuck, and is empty
/// if there is nothing in the network.
Stall explain_network_stall(Network& network);

} // namespace nocturne
