#include "schedules/chunk_search/all_reduce.hpp"

#include "schedules/certificate/hops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace nocturne {

AllReduceHalves all_reduce_halves(const Collective& collective, const std::vector<std::uint32_t>& roots)
{
    AllReduceHalves halves{collective, collective};
    for (Collective* half : {&halves.reduce, &halves.spread}) {
        half->kind = CollectiveKind::custom;
        half->demands = {};
    }
    if (roots.size() != collective.chunks.size())
        throw std::invalid_argument("all-reduce: there is a root for each chunk");
    for (ChunkId c = 0; c < roots.size(); ++c) {
        const auto& contributors = collective.chunks[c].contributors;
        if (!std::ranges::binary_search(contributors, roots[c]))
            throw std::invalid_argument(
                fmt::format("all-reduce: {} does not contribute to chunk {}", roots[c], c));
        halves.reduce.demands.push_back({c, roots[c], contributors});
        halves.spread.chunks[c].contributors = {roots[c]};
    }
    for (const Demand& demand : collective.demands) {
        if (demand.contributors != collective.chunks[demand.chunk].contributors)
            throw std::invalid_argument("all-reduce: every receiver is owed all contributions");
        if (demand.receiver != roots[demand.chunk])
            halves.spread.demands.push_back(
                {demand.chunk, demand.receiver, halves.spread.chunks[demand.chunk].contributors});
    }
    return halves;
}

std::vector<std::uint32_t> spread_roots(const LinkNetwork& network, const Collective& collective)
{
    std::map<std::uint32_t, std::vector<std::uint32_t>> distances; // of nodes
    std::map<std::uint32_t, std::uint32_t> farthest; // of nodes, for receivers as the chunk before
    std::vector<std::uint32_t> used(network.processor_count(), 0);
    std::vector<std::uint32_t> roots;
    for (ChunkId c = 0; c < collective.chunks.size(); ++c) {
        const auto receivers = collective.demands.receivers_of(c);
        if (c > 0 && !std::ranges::equal(receivers, collective.demands.receivers_of(c - 1)))
            farthest.clear();
        const auto farthest_from = [&](std::uint32_t node) {
            const auto [entry, is_new] = farthest.try_emplace(node, 0);
            if (is_new) {
                auto [known, is_first] = distances.try_emplace(node);
                if (is_first)
                    known->second = transfers_from(network, node);
                for (const std::uint32_t receiver : receivers)
                    entry->second = std::max(entry->second, known->second[receiver]);
            }
            return entry->second;
        };
        const auto& contributors = collective.chunks[c].contributors;
        const auto cost = [&](std::uint32_t node) { return std::pair{used[node], farthest_from(node)}; };
        const std::uint32_t root = *std::ranges::min_element(
            contributors, [&](std::uint32_t a, std::uint32_t b) { return cost(a) < cost(b); });
        ++used[root];
        roots.push_back(root);
    }
    return roots;
}

namespace {

std::uint64_t place_read(const ListedTransfer& one)
{
    return place_key(one.transfer.source, one.transfer.message);
}

/// What the second half sends from a root waits for all that has been added there; where that would be too
/// many for too many, for a copy of the sum within the root, and sends that.
std::vector<ListedTransfer> waiting_for_sums(const Schedule& reduce, const Schedule& spread)
{
    constexpr std::size_t most_waits = std::size_t{1} << 16;
    const auto chunks = static_cast<PlaceId>(reduce.collective.chunks.size());
    std::vector<ListedTransfer> listed = list_transfers(reduce), sends = list_transfers(spread);
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> added; // by place, by which transfers
    bool has_scratch = false;
    for (std::uint32_t id = 0; id < listed.size(); ++id) {
        const Transfer& transfer = listed[id].transfer;
        added[place_key(transfer.destination, transfer.to)].push_back(id);
        has_scratch = has_scratch || transfer.to >= chunks;
    }
    std::unordered_map<std::uint64_t, std::size_t> sent; // by place, how many times
    for (const ListedTransfer& one : sends)
        ++sent[place_read(one)];
    std::unordered_map<std::uint64_t, std::uint32_t> copied; // by place, by which transfer
    for (const ListedTransfer& one : sends) {
        const auto found = added.find(place_read(one));
        if (has_scratch || !one.after.empty() || found == added.end() ||
            found->second.size() * sent[place_read(one)] <= most_waits || copied.contains(place_read(one)))
            continue;
        const NodeId root = one.transfer.source;
        const MessageId chunk = one.transfer.message;
        copied[place_read(one)] = static_cast<std::uint32_t>(listed.size());
        listed.push_back({Transfer{{chunk, chunks + chunk}, root, root, Path{}}, 0, found->second});
    }
    const auto count = static_cast<std::uint32_t>(listed.size());
    for (ListedTransfer& one : sends) {
        for (std::uint32_t& before : one.after)
            before += count;
        if (const auto copy = copied.find(place_read(one)); copy != copied.end() && one.after.empty()) {
            one.after = {copy->second};
            one.transfer.message += chunks;
        } else if (const auto found = added.find(place_read(one));
                   found != added.end() && one.after.empty()) {
            one.after = found->second;
        }
        listed.push_back(std::move(one));
    }
    return listed;
}

} // namespace

Schedule in_sequence(const Schedule& reduce, const Schedule& spread, const Collective& collective)
{
    if (reduce.synchronization != spread.synchronization)
        throw std::invalid_argument("all-reduce: one half is in steps, the other is not");
    Schedule result = reduce;
    result.name = "all-reduce";
    result.collective = collective;
    result.rounds.insert(result.rounds.end(), spread.rounds.begin(), spread.rounds.end());
    if (is_in_steps(reduce))
        result.steps.insert(result.steps.end(), spread.steps.begin(), spread.steps.end());
    else
        set_transfers(result, waiting_for_sums(reduce, spread));
    return result;
}

Schedule all_reduce_of(const Schedule& reduce_scatter, const Schedule& allgather)
{
    const Collective& gathered = allgather.collective;
    Collective collective = gathered;
    collective.kind = CollectiveKind::allreduce;
    collective.demands = {};
    std::vector<std::uint32_t> members;
    for (const Chunk& chunk : gathered.chunks)
        members.push_back(chunk.contributors.front());
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (gathered.kind != CollectiveKind::allgather || members.empty())
        throw std::invalid_argument(fmt::format("{}: not an allgather", allgather.name));
    const ProcessorList group = members;
    collective.parts = static_cast<std::uint32_t>(gathered.chunks.size());
    for (Chunk& chunk : collective.chunks)
        chunk.contributors = group;
    for (ChunkId c = 0; c < collective.chunks.size(); ++c)
        for (const std::uint32_t receiver : group)
            collective.demands.push_back({c, receiver, group});
    return in_sequence(reduce_scatter, allgather, collective);
}

Schedule all_reduce_from(const Schedule& allgather, const LinkNetwork& network)
{
    return all_reduce_of(reversed(allgather, network), allgather);
}

} // namespace nocturne
