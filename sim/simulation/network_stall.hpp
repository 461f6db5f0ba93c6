// A network that stopped with packets in it, as a result.
#pragma once

#include "models/hardware/network.hpp"
#include "models/hardware/stall.hpp"
#include "sim/report/results.hpp"

#include <optional>
#include <span>

namespace nocturne {

/// Who waits for whom in a network that is quiet; `reason` says that it is a deadlock, or how many messages are stuck, and is empty
/// if there is nothing in the network.
Stall explain_network_stall(Network& network);

/// The same of a circular wait that is known, whatever else moves.
Stall explain_deadlock(Network& network, std::span<const WaitEdge> cycle);

/// Runs everything before a cycle, or until nothing is left to do, and looks at the network every thousand cycles or so in which something
/// happens. A deadlock ends the run at once, and is what comes back. May throw what the simulation throws.
std::optional<Stall> run_watched(Network& network, DeadlockWatch& watch, Cycle end);

} // namespace nocturne
