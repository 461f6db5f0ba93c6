// A network in this process, run phase by phase until it stands still: when to stop, and why nothing moves.
#pragma once

#include "models/hardware/deadlock_watch.hpp"
#include "models/hardware/delivery_check.hpp"
#include "models/hardware/network.hpp"
#include "sim/report/results.hpp"

#include <optional>

namespace nocturne {

/// What goes wrong in a process of the simulation is thrown by the functions that run it, as run_kernel()
/// does.
class NetworkRun {
public:
    /// The network must outlive the run.
    explicit NetworkRun(Network& network) : network_(network), watch_(network) {}

    /// Runs everything before a cycle, or until nothing is left to do, and looks at the network every
    /// thousand cycles or so in which something happens. A deadlock ends the run at once; then this does
    /// nothing any more.
    void run_to(Cycle end);
    void run_to_the_end() { run_to(network_.domain().last_cycle()); }
    /// Until nothing moves any more, unless there is a deadlock: whatever sends packets must have stopped, or
    /// come to its end.
    void drain();

    /// That ended the run while other packets still moved.
    const std::optional<Stall>& deadlock() const { return deadlock_; }
    /// Which packets wait for which in a network that is quiet: the reason says that it is a deadlock, or how
    /// many are stuck. Nothing if the network is empty.
    std::optional<Stall> stall() const;
    /// The same at the end of a run. Throws std::logic_error if a packet did not arrive once, whole and in
    /// order.
    std::optional<Stall> checked_stall(const DeliveryCheck& check) const;

private:
    Network& network_;
    DeadlockWatch watch_;
    std::optional<Stall> deadlock_;
};

} // namespace nocturne
