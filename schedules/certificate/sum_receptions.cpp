#include "schedules/certificate/sum_receptions.hpp"

#include <algorithm>

namespace nocturne {

std::uint64_t receptions_of(const Collective& collective, ChunkId chunk)
{
    const ProcessorList& contributors = collective.chunks[chunk].contributors;
    std::uint64_t receivers = 0;
    bool meets = false; // some receiver contributes: the last sum may be made there
    for (const Demand& demand : collective.demands.of(chunk)) {
        if (is_own(demand))
            continue;
        if (demand.contributors != contributors)
            return 0;
        ++receivers;
        meets = meets || std::ranges::binary_search(contributors, demand.receiver);
    }
    return receivers == 0 ? 0 : contributors.size() + receivers - (meets ? 2 : 1);
}

SumReceptions sum_receptions(const Problem& problem)
{
    SumReceptions result;
    for (ChunkId chunk = 0; chunk < problem.collective.chunks.size(); ++chunk)
        result.receptions += receptions_of(problem.collective, chunk);
    std::uint64_t sent = 0, received = 0;
    for (ProcessorId id = 0; id < problem.topology.processor_count(); ++id) {
        sent += send_ports(problem.topology, id, problem.ports);
        received += receive_ports(problem.topology, id, problem.ports);
    }
    result.ports = std::min(sent, received);
    return result;
}

} // namespace nocturne
