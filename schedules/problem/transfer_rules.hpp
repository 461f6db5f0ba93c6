// What a problem demands of every transfer by itself.
#pragma once

#include "models/routing/distances.hpp"
#include "models/topology/path.hpp"
#include "schedules/problem/problem.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace nocturne {

/// May the message only go straight from its origin to its receiver? So it is under a slack if it has one
/// receiver: a relay would be a way round the limit. Messages with several receivers may be relayed, over
/// paths within the slack.
inline bool forbids_relays(std::optional<unsigned> slack, const Message& message)
{
    return slack && message.receivers.size() == 1;
}

/// Does this hold for every message of the problem?
bool forbids_relays(const Problem& problem);

/// Must some messages go straight while others have several receivers?
bool mixes_relays(const Problem& problem);

/// The part of a walk that is a path: what lies between two visits of a router is cut out.
Path without_loops(const Topology& topology, const Path& walk);

/// The limits of switching and slack, by source and destination of a transfer. Distances are computed when
/// they are asked for, once for each router that sends.
class TransferRules {
public:
    /// The topology must outlive the rules.
    TransferRules(const Topology& topology, Switching switching, std::optional<unsigned> slack);
    explicit TransferRules(const Problem& problem);

    /// Has the message the right to go from one processor to the other? True wherever relays are allowed.
    bool allows_ends(const Message& message, ProcessorId source, ProcessorId destination) const
    {
        return !forbids_relays(slack_, message) ||
               (source == message.origin && destination == message.receivers.front());
    }

    /// The most hops beyond a minimal path that the slack allows, as a number of hops; only under a slack.
    std::size_t most_hops(ProcessorId source, ProcessorId destination);

    /// Is a path of so many hops short enough for switching and slack?
    bool allows_hops(ProcessorId source, ProcessorId destination, std::size_t hops)
    {
        if (hops <= 1) // the shortest path between two routers, or within one
            return true;
        return switching_ == Switching::wormhole && (!slack_ || hops <= most_hops(source, destination));
    }

private:
    const Topology* topology_;
    Switching switching_;
    std::optional<unsigned> slack_;
    std::vector<std::vector<std::uint32_t>> distances_; ///< by router, from there; empty until it is needed
};

/// Fewest transfers that bring a message from `origin` to each processor under store-and-forward switching,
/// where a transfer leads from a processor to one at the same router or at the other end of a channel:
/// routers without a processor keep nothing. `unreachable` where none do. Time O(routers + channels +
/// processors). Throws std::invalid_argument if the processor does not exist.
std::vector<std::uint32_t> transfers_from(const Topology& topology, ProcessorId origin);

} // namespace nocturne
