// A schedule on the network that a fault has left of its own: what of it still can be done.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace nocturne {

/// Where the parts of one network are in another one; nothing = it is not there.
struct NetworkMap {
    std::vector<std::optional<RouterId>> routers;       ///< by router of the first network
    std::vector<std::optional<ProcessorId>> processors; ///< by processor of the first network
    std::vector<std::optional<ChannelId>> channels;     ///< by channel of the first network
};

/// Routers and processors are those of the same name. The k-th channel from one router to another is the k-th
/// between the two of their names: of parallel channels the last ones count as failed.
NetworkMap map_network(const Topology& from, const Topology& to);

/// The same collective among the processors of `from` that `to` still has, in their indices there:
/// broadcasts, scatters and gathers lose senders and receivers, sums contributions. Throws
/// std::invalid_argument, one line, if what is left is none: the source or root has failed, nobody is left to
/// send or receive, or a processor of a permutation, or of a collective that is not described by its kind,
/// has failed.
Collective surviving_collective(const Collective& collective, const Topology& from, const Topology& to);

/// Throws std::invalid_argument, one line, for a collective with sums that several receive. A delivery of a
/// message can be made by whoever has it; a sum that a fault interrupts lacks contributions wherever it has
/// gone since.
void require_repairable(const Collective& collective);

/// A delivery that the collective of the survivors still owes, or that served one, but whose transfer met the
/// fault.
struct BrokenDelivery {
    MessageId message; ///< of the translated schedule
    ProcessorId destination;

    friend bool operator==(const BrokenDelivery&, const BrokenDelivery&) = default;
};

struct TranslatedSchedule {
    /// For the collective of the survivors on the new network. As many steps as before, perhaps empty ones;
    /// the transfers that do not meet the fault, in their order. Who relays a message may lack it now, and
    /// receivers may be left out.
    Schedule schedule;
    std::vector<BrokenDelivery> broken; ///< in the order of their transfers
    std::size_t lost =
        0; ///< transfers to a processor that has failed, or of a message that nobody sends or awaits any more
    std::size_t met =
        0; ///< transfers whose source, destination or path has failed: what the fault hits at once
};

/// `schedule`, a valid one for `from`, in the indices of `to`, which is `from` after a fault. Each transfer
/// is in the translated schedule, broken or lost. Throws std::invalid_argument as surviving_collective(), and
/// if a transfer has no path.
TranslatedSchedule translate(const Schedule& schedule, const Topology& from, const Topology& to);

} // namespace nocturne
