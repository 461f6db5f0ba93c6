#include "schedules/collective/bandwidth.hpp"

namespace nocturne {

std::vector<std::uint32_t> members_in(const Collective& collective)
{
    std::vector<bool> takes_part(collective.processors);
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk) {
        for (const std::uint32_t contributor : collective.chunks[chunk].contributors)
            takes_part[contributor] = true;
        for (const std::uint32_t receiver : collective.demands.receivers_of(chunk))
            takes_part[receiver] = true;
    }
    std::vector<std::uint32_t> members;
    for (std::uint32_t processor = 0; processor < collective.processors; ++processor)
        if (takes_part[processor])
            members.push_back(processor);
    return members;
}

std::uint32_t member_count(const Collective& collective)
{
    return static_cast<std::uint32_t>(members_in(collective).size());
}

double algorithm_bytes(const Collective& collective, double contributed_bytes)
{
    const double members = member_count(collective);
    switch (collective.kind) {
    case CollectiveKind::allgather:
    case CollectiveKind::gather:
        return contributed_bytes * members;
    case CollectiveKind::scatter:
    case CollectiveKind::alltoall:
        return contributed_bytes * members / (members - 1);
    default:
        return contributed_bytes;
    }
}

double bus_factor(const Collective& collective)
{
    return bus_factor_of(collective.kind, member_count(collective));
}

double bus_factor_of(CollectiveKind kind, std::uint32_t members)
{
    const double n = members;
    switch (kind) {
    case CollectiveKind::allreduce:
        return 2 * (n - 1) / n;
    case CollectiveKind::allgather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::alltoall:
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
        return (n - 1) / n;
    default:
        return 1;
    }
}

} // namespace nocturne
