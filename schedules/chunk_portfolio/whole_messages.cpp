#include "schedules/chunk_portfolio/whole_messages.hpp"

#include "schedules/chunk_portfolio/step_chunks.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/first_fit.hpp"

#include <stdexcept>

namespace nocturne {
namespace {

/// The same with whole messages; nothing if there is none of that kind.
std::optional<Collective> of_messages(const ChunkedCollective& collective)
{
    if (collective.chunks.empty() || collective.demands.empty())
        return std::nullopt;
    const std::uint32_t source = collective.chunks.front().contributors.front();
    switch (collective.kind) {
    case ChunkedKind::broadcast:
        return one_to_all_broadcast(collective.processors, source);
    case ChunkedKind::scatter:
        return one_to_all_scatter(collective.processors, source);
    case ChunkedKind::gather:
        return all_to_one_gather(collective.processors, collective.demands.front().receiver);
    case ChunkedKind::allgather:
        return all_to_all_broadcast(collective.processors);
    case ChunkedKind::alltoall:
        return all_to_all_scatter(collective.processors);
    default:
        return std::nullopt;
    }
}

std::optional<Schedule> best_without_search(const Problem& problem)
{
    std::optional<Schedule> best;
    for (const Construction& construction : constructions())
        if (construction.construct != first_fit)
            if (auto schedule = construction.construct(problem);
                schedule && (!best || schedule->steps.size() < best->steps.size()))
                best = std::move(schedule);
    return best;
}

} // namespace

std::optional<Schedule> constructed_steps(const Topology& topology, const ChunkedCollective& collective)
{
    auto messages = of_messages(collective);
    if (!messages)
        return std::nullopt;
    const ChunkedCollective chunks = chunks_of(*messages);
    if (chunks.chunks != collective.chunks || chunks.demands != collective.demands)
        return std::nullopt; // of a group, or in unequal blocks
    try {
        return best_without_search(make_problem(topology, std::move(*messages)));
    } catch (const std::invalid_argument&) {
        return std::nullopt; // a problem that whole messages do not have
    }
}

} // namespace nocturne
