#include "schedules/bounds/distance_bound.hpp"

#include "schedules/problem/store_and_forward_distances.hpp"

#include <fmt/format.h>

namespace nocturne {

std::optional<Bound> distance_bound(const Problem& problem)
{
    if (problem.switching != Switching::store_and_forward)
        return std::nullopt;
    const Topology& topology = problem.topology;
    std::uint32_t farthest = 0;
    ProcessorId from = 0;
    ProcessorId to = 0;
    std::vector<std::uint32_t> transfers;
    std::optional<ProcessorId> origin;
    for (const Message& message : problem.collective.messages()) {
        // Messages come in the order of their origins: one search for each.
        if (origin != message.origin) {
            transfers = transfers_from(topology, message.origin);
            origin = message.origin;
        }
        for (const ProcessorId receiver : message.receivers)
            if (transfers[receiver] > farthest) {
                farthest = transfers[receiver];
                from = message.origin;
                to = receiver;
            }
    }
    return Bound{farthest,
                 fmt::format("{} is {} hop{} from {}, one a step", topology.processor(to).name, farthest,
                             farthest == 1 ? "" : "s", topology.processor(from).name),
                 FarthestReceiver{}};
}

} // namespace nocturne
