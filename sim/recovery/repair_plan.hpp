// What is still owed after a fault, and a schedule for it.
#pragma once

#include "models/topology/remaining_network.hpp"
#include "schedules/schedule/schedule.hpp"

#include <vector>

namespace nocturne {

/// Who has which message: by processor and message.
using MessageOwners = std::vector<std::vector<bool>>;

/// A delivery that the collective owes and that has not been made.
struct OwedDelivery {
    MessageId message;
    ProcessorId receiver;
};

/// What the collective owes, beyond what processors hold: `owed` can be made; `dropped` cannot, since the
/// receiver's router has failed, or that of every holder of the message.
struct OwedDeliveries {
    std::vector<OwedDelivery> owed;
    std::vector<OwedDelivery> dropped;
};
OwedDeliveries owed_deliveries(const Collective& collective, const Topology& topology, const Faults& faults,
                               const MessageOwners& owners);

/// Of the processors that have a message, and whose routers work, the one with the fewest hops to the
/// receiver, the first of several.
class NearestHolders {
public:
    /// Both must outlive it.
    NearestHolders(const RemainingNetwork& rest, const MessageOwners& owners);

    ProcessorId operator()(const OwedDelivery& owed);

private:
    const RemainingNetwork& rest_;
    const MessageOwners& owners_;
    std::vector<std::vector<std::uint32_t>> distances_; ///< to a router; empty until it is asked for
};

struct RepairPlan {
    Schedule schedule;  ///< in the names of the network without faults, no step empty; valid for what is owed
    double seconds = 0; ///< wall-clock time of the search
};

/// A schedule for the owed deliveries on what the faults have left of the network. It begins with what holds
/// of `schedule` from step `from` on, into which the missing deliveries are placed by repair(), in as many
/// steps, or the fewest more (at least the lower bound of what is owed) that do. A holder of a message sends
/// it: a receiver gets it from where the old schedule would have, otherwise from the nearest. Effort is
/// counted, so that the result depends on the arguments only. Throws std::invalid_argument if the faults
/// disconnect the network, std::runtime_error if no schedule is found.
RepairPlan plan_repair(const Schedule& schedule, std::size_t from, const Topology& topology,
                       const Faults& faults, const MessageOwners& owners);

} // namespace nocturne
