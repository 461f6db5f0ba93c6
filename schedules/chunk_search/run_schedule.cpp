#include "schedules/chunk_search/timed_run.hpp"

#include <numeric>

namespace nocturne {

Schedule schedule_of(const TimedProblem& problem, const std::vector<TimedSend>& sends)
{
    constexpr std::uint32_t nothing = ~0u;
    const std::size_t chunks = problem.collective.chunks.size();
    std::vector<std::uint32_t> first(chunks + 1, 0), by_chunk(sends.size());
    for (const TimedSend& send : sends)
        ++first[send.chunk + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < sends.size(); ++i)
        by_chunk[next[sends[i].chunk]++] = i;
    // By send: is it of use, and which one brought what it sends?
    std::vector<bool> is_kept(sends.size(), false);
    std::vector<std::uint32_t> before(sends.size(), nothing);
    std::vector<bool> wanted(problem.network.node_count(), false);
    std::vector<std::uint32_t> brought(problem.network.node_count(), nothing);
    for (ChunkId chunk = 0; chunk < chunks; ++chunk) {
        for (const NodeId receiver : problem.receivers[chunk])
            wanted[receiver] = true;
        for (std::uint32_t at = first[chunk + 1]; at-- > first[chunk];) {
            const std::uint32_t i = by_chunk[at];
            const ChunkHop& hop = problem.hops[sends[i].hop];
            is_kept[i] = wanted[hop.destination];
            if (is_kept[i])
                wanted[hop.source] = true;
        }
        for (std::uint32_t at = first[chunk]; at < first[chunk + 1]; ++at) {
            const std::uint32_t i = by_chunk[at];
            const ChunkHop& hop = problem.hops[sends[i].hop];
            if (!is_kept[i])
                continue;
            before[i] = brought[hop.source];
            brought[hop.destination] = i;
        }
        for (const NodeId receiver : problem.receivers[chunk])
            wanted[receiver] = false;
        for (std::uint32_t at = first[chunk]; at < first[chunk + 1]; ++at) {
            const ChunkHop& hop = problem.hops[sends[by_chunk[at]].hop];
            wanted[hop.source] = false;
            brought[hop.destination] = nothing;
        }
    }
    Schedule schedule = empty_schedule("by time", problem.network.name(), problem.collective,
                                       ScheduleSynchronization::dependencies);
    std::vector<std::uint32_t> ids(sends.size(), nothing);
    for (std::size_t i = 0; i < sends.size(); ++i) {
        if (!is_kept[i])
            continue;
        const ChunkHop& hop = problem.hops[sends[i].hop];
        std::vector<std::uint32_t> after;
        if (before[i] != nothing)
            after.push_back(ids[before[i]]);
        ids[i] = append_transfer(schedule, {sends[i].chunk, hop.source, hop.destination, hop.path}, after);
    }
    return schedule;
}

} // namespace nocturne
