#include "schedules/chunk_search/timed_schedules.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

struct Contribution {
    ChunkId chunk;
    std::uint32_t contributor;
    std::vector<std::uint32_t> receivers; ///< 1 or more, in the order of the demands
};

/// The contributions that travel, in the order of the chunks that separate_contributions() makes of them.
std::vector<Contribution> list_contributions(const Collective& collective)
{
    std::vector<Contribution> result;
    for (ChunkId c = 0; c < collective.chunks.size(); ++c)
        for (const std::uint32_t contributor : collective.chunks[c].contributors) {
            std::vector<std::uint32_t> receivers;
            for (const Demand& demand : collective.demands.of(c))
                if (demand.receiver != contributor &&
                    std::binary_search(demand.contributors.begin(), demand.contributors.end(), contributor))
                    receivers.push_back(demand.receiver);
            if (!receivers.empty())
                result.push_back({c, contributor, std::move(receivers)});
        }
    return result;
}

} // namespace

Collective separate_contributions(const Collective& collective)
{
    Collective result{CollectiveKind::custom, collective.processors, collective.parts, {}, {}};
    for (const auto& [chunk, contributor, receivers] : list_contributions(collective)) {
        const auto id = static_cast<ChunkId>(result.chunks.size());
        result.chunks.push_back({collective.chunks[chunk].weight, {contributor}});
        for (const std::uint32_t receiver : receivers)
            result.demands.push_back({id, receiver, {contributor}});
    }
    return result;
}

Schedule with_local_sums(const Schedule& schedule, const Collective& collective)
{
    const std::vector<Contribution> contributions = list_contributions(collective);
    const auto chunks = static_cast<PlaceId>(collective.chunks.size());
    Schedule result = schedule;
    result.collective = collective;
    std::unordered_map<std::uint64_t, std::uint32_t> arrival;                // by node and contribution
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> own_sends; // by node and chunk
    for (std::uint32_t id = 0; id < result.steps.front().size(); ++id) {
        Transfer& transfer = result.steps.front()[id];
        const auto& [chunk, contributor, receivers] = contributions[transfer.message];
        arrival[place_key(transfer.destination, transfer.message)] = id;
        transfer.to = (transfer.to + chunks) % place_limit;
        if (transfer.source == contributor) {
            own_sends[place_key(contributor, chunk)].push_back(id);
            transfer.message = chunk;
        } else {
            transfer.message += chunks;
        }
    }
    std::unordered_map<std::uint64_t, std::uint32_t> number; // of a contribution, by contributor and chunk
    for (std::uint32_t i = 0; i < contributions.size(); ++i)
        number[place_key(contributions[i].contributor, contributions[i].chunk)] = i;
    for (const Demand& demand : collective.demands) {
        const NodeId node = demand.receiver;
        bool adds = std::binary_search(demand.contributors.begin(), demand.contributors.end(), node);
        std::vector<std::uint32_t> before = own_sends[place_key(node, demand.chunk)];
        for (const std::uint32_t contributor : demand.contributors) {
            if (contributor == node)
                continue;
            const std::uint32_t came = number.at(place_key(contributor, demand.chunk));
            std::vector<std::uint32_t> after = before;
            after.push_back(arrival.at(place_key(node, came)));
            const std::uint32_t id = append_transfer(
                result,
                {{chunks + came, demand.chunk}, node, node, Path{}, adds ? Operation::add : Operation::copy},
                after);
            if (!std::exchange(adds, true))
                before.push_back(id);
        }
    }
    return result;
}

} // namespace nocturne
