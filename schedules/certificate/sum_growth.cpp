#include "schedules/certificate/sum_growth.hpp"

#include <algorithm>

namespace nocturne {

unsigned steps_of_sum_growth(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const Collective& collective = problem.collective;
    const std::uint64_t n = collective.processors;
    for (ProcessorId id = 0; id < n; ++id)
        if (send_ports(topology, id, problem.ports) > 1 || receive_ports(topology, id, problem.ports) > 1)
            return 0;
    const auto is_for_all = [&](ChunkId chunk) {
        const auto owed = collective.demands.of(chunk);
        return collective.chunks[chunk].contributors.size() == n && owed.size() == n &&
               std::ranges::all_of(owed,
                                   [n](const Demand& demand) { return demand.contributors.size() == n; });
    };
    bool asks_for_it = false;
    for (ChunkId chunk = 0; chunk < collective.chunks.size() && !asks_for_it; ++chunk)
        asks_for_it = is_for_all(chunk);
    if (!asks_for_it)
        return 0;
    unsigned steps = 0;
    for (std::uint64_t most = 1; most < n; most *= 2)
        ++steps;
    return steps + (n % 2 == 1 && n > 1 ? 1 : 0);
}

} // namespace nocturne
