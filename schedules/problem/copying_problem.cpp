#include "schedules/problem/copying_problem.hpp"

#include "models/topology/turned.hpp"
#include "schedules/problem/transfer_rules.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace nocturne {

bool owes_whole(const Collective& collective)
{
    return std::ranges::all_of(collective.demands, [&](const Demand& demand) {
        return demand.contributors == collective.chunks[demand.chunk].contributors;
    });
}

bool can_be_turned(const Collective& collective)
{
    for (ChunkId id = 0; id < collective.chunks.size(); ++id) {
        const auto owed = collective.demands.of(id);
        const ProcessorList& contributors = collective.chunks[id].contributors;
        if (owed.size() > 1 || (owed.size() == 1 && owed.front().contributors != contributors))
            return false;
    }
    return true;
}

Problem turned(const Problem& problem)
{
    Problem result = problem;
    result.topology = turned(problem.topology);
    result.collective = reversed(problem.collective);
    return result;
}

namespace {

Collective contribution_of(const Collective& collective, ProcessorId origin)
{
    Collective result{.kind = CollectiveKind::custom, .processors = collective.processors};
    for (ChunkId id = 0; id < collective.chunks.size(); ++id) {
        const auto chunk = static_cast<ChunkId>(result.chunks.size());
        std::vector<Demand> owed;
        for (const Demand& demand : collective.demands.of(id))
            if (demand.receiver != origin && std::ranges::binary_search(demand.contributors, origin))
                owed.push_back({chunk, demand.receiver, ProcessorList{origin}});
        if (owed.empty())
            continue;
        std::ranges::sort(owed, {}, &Demand::receiver);
        result.chunks.push_back({1, ProcessorList{origin}});
        for (Demand& demand : owed)
            result.demands.push_back(std::move(demand));
    }
    return result;
}

} // namespace

std::optional<Problem> bounding_problem(const Problem& problem, std::optional<ProcessorId> origin)
{
    if (!origin && !can_be_turned(problem.collective))
        return std::nullopt;
    Problem result = origin ? problem : turned(problem);
    if (origin)
        result.collective = contribution_of(problem.collective, *origin);
    if (result.collective.chunks.empty())
        return std::nullopt;
    for (const Message& message : result.collective.messages())
        if (forbids_relays(result.slack, message))
            result.slack = std::nullopt;
    return result;
}

} // namespace nocturne
