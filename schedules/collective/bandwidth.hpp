// The bandwidth of a collective, as NCCL's tests define it (nccl-tests, doc/PERFORMANCE.md), so that figures
// here can be set beside those of clusters.
#pragma once

#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Members: processors that contribute or receive, ascending.
std::vector<std::uint32_t> members_in(const Collective& collective);
std::uint32_t member_count(const Collective& collective);

/// What those tests call the size of the collective, where the largest vector that a member contributes has
/// so many bytes: of an allgather and a gather the blocks of all members together; of a scatter and an
/// alltoall the blocks that are sent, and the one that stays; of any other this vector. Over the time it is
/// the algorithm bandwidth.
double algorithm_bytes(const Collective& collective, double contributed_bytes);

/// Bus bandwidth over algorithm bandwidth, which makes figures of different numbers of members comparable
/// with the speed of a link: 2 (n - 1) / n of an allreduce, (n - 1) / n of allgather, reduce-scatter,
/// alltoall, scatter and gather, 1 of any other, where n is the number of members.
double bus_factor(const Collective& collective);
/// The same of a kind among so many members, 1 or more.
double bus_factor_of(CollectiveKind kind, std::uint32_t members);

inline constexpr const char* algorithm_bandwidth_meaning =
    "Size of the collective over the time, as nccl-tests define it.";
inline constexpr const char* bus_bandwidth_meaning =
    "Algorithm bandwidth times the factor of the collective in nccl-tests: 2(n-1)/n of an allreduce, (n-1)/n "
    "of "
    "allgather, reduce-scatter, alltoall, scatter and gather, 1 of any other.";

} // namespace nocturne
