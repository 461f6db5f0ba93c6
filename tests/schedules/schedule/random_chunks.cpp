#include "tests/schedules/schedule/random_chunks.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace nocturne::test {

namespace {

void join_one_way(Topology& topology, RouterId from, RouterId to, SplitMix64& random)
{
    topology.add_channel({.source = from,
                          .target = to,
                          .latency_cycles = 1 + random.below(5),
                          .width_bytes = 4U << random.below(3)});
}

void join(Topology& topology, RouterId a, RouterId b, SplitMix64& random)
{
    join_one_way(topology, a, b, random);
    join_one_way(topology, b, a, random);
}

/// Ascending, `least` of them or more.
std::vector<std::uint32_t> random_subset(SplitMix64& random, const std::vector<std::uint32_t>& all,
                                         std::size_t least)
{
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all.size() - i <= least - std::min(least, some.size()) || random.below(2) == 0)
            some.push_back(all[i]);
    return some;
}

/// Each chunk cut into so many parts.
Collective random_sums(SplitMix64& random, const std::vector<std::uint32_t>& all, std::uint32_t parts)
{
    Collective collective;
    collective.processors = static_cast<std::uint32_t>(all.size());
    collective.parts = parts;
    for (std::uint32_t blocks = 1 + random.below(3); blocks > 0; --blocks) {
        const Chunk chunk{1 + random.below(3), random_subset(random, all, 1)};
        std::vector<Demand> demands;
        for (const std::uint32_t receiver : random_subset(random, all, 1)) {
            const std::vector<std::uint32_t>& contributors = chunk.contributors;
            const auto owed = random.below(2) == 0 ? contributors : random_subset(random, contributors, 1);
            if (owed != std::vector{receiver})
                demands.push_back({0, receiver, owed});
        }
        for (std::uint32_t part = 0; part < parts; ++part) {
            for (Demand& demand : demands) {
                demand.chunk = static_cast<ChunkId>(collective.chunks.size());
                collective.demands.push_back(demand);
            }
            collective.chunks.push_back(chunk);
        }
    }
    return collective;
}

Collective random_kind(SplitMix64& random, const CollectiveShape& shape,
                       const std::vector<std::uint32_t>& members)
{
    const auto kind = static_cast<CollectiveKind>(random.below(9));
    const auto weights = [&](std::size_t count) {
        std::vector<std::uint32_t> drawn(count);
        for (std::uint32_t& weight : drawn)
            weight = random.below(4);
        drawn.front() = drawn.back() = drawn[count / 2] = 1;
        return drawn;
    };
    if (random.below(3) == 0 && kind == CollectiveKind::allgather)
        return allgather(shape, weights(members.size()));
    if (random.below(3) == 0 && kind == CollectiveKind::reduce_scatter)
        return reduce_scatter(shape, weights(members.size()));
    if (random.below(3) == 0 && kind == CollectiveKind::alltoall) {
        auto drawn = weights(members.size() * members.size());
        drawn[1] = 2; // of a pair
        return alltoall(shape, drawn);
    }
    return make_collective(
        kind, shape,
        has_root(kind) ? std::optional{members[random.below(static_cast<std::uint32_t>(members.size()))]}
                       : std::nullopt);
}

} // namespace

Topology random_chunk_network(SplitMix64& random, bool copies)
{
    Topology topology("random");
    const std::uint32_t processors = 2 + random.below(4);
    for (RouterId router = 0; router < processors; ++router)
        topology.add_processor(topology.add_router(std::to_string(router)));
    const auto form = random.below(4);
    if (form == 0) { // one way round
        for (RouterId router = 0; router < processors; ++router)
            join_one_way(topology, router, (router + 1) % processors, random);
    } else if (form == 1) { // switches in a line, processors on them
        const std::uint32_t switches = 1 + random.below(3);
        for (std::uint32_t s = 0; s < switches; ++s) {
            const RouterId router = topology.add_router(std::string("s").append(std::to_string(s)));
            if (copies && random.below(2) == 0)
                topology.set_copying(router);
            if (s > 0)
                join(topology, router - 1, router, random);
        }
        for (RouterId router = 0; router < processors; ++router)
            join(topology, router, processors + random.below(switches), random);
    } else { // a tree
        for (RouterId router = 1; router < processors; ++router)
            join(topology, router, random.below(router), random);
    }
    for (std::uint32_t extra = random.below(3); extra > 0; --extra) {
        const RouterId a = random.below(processors), b = random.below(processors);
        if (a != b && random.below(2) == 0)
            join(topology, a, b, random);
        else if (a != b)
            join_one_way(topology, a, b, random);
    }
    return topology;
}

Collective random_chunk_collective(SplitMix64 random, std::uint32_t processors, std::uint32_t parts)
{
    std::vector<std::uint32_t> all(processors);
    std::iota(all.begin(), all.end(), 0U);
    CollectiveShape shape{.processors = processors, .parts = parts};
    if (random.below(3) == 0) {
        shape.group = random_subset(random, all, 2);
        for (std::size_t i = shape.group.size(); i > 1; --i)
            std::swap(shape.group[i - 1], shape.group[random.below(static_cast<std::uint32_t>(i))]);
    }
    const std::vector<std::uint32_t>& members = shape.group.empty() ? all : shape.group;
    const auto choice = random.below(10);
    if (choice == 0)
        return random_sums(random, all, parts);
    Collective collective = random_kind(random, shape, members);
    if (choice == 1)
        collective = at_once(collective, random_kind(random, shape, members));
    return collective;
}

Schedule put_in_steps(const Schedule& schedule, const LinkNetwork& network)
{
    Schedule result = schedule;
    result.synchronization = ScheduleSynchronization::steps;
    std::vector<ListedTransfer> listed = list_transfers(schedule);
    for (std::size_t pass = 0; pass < listed.size(); ++pass) // in any order of the list
        for (ListedTransfer& one : listed)
            for (const std::uint32_t before : one.after)
                one.step = std::max(one.step, listed[before].step + 1);
    set_transfers(result, std::move(listed));
    std::erase_if(result.steps, [](const Step& step) { return step.empty(); });
    result.rounds.assign(result.steps.size(), 1);
    std::map<std::pair<std::uint32_t, LinkId>, std::uint64_t> load;
    const auto weights = transfer_weights(result);
    const TransferList transfers(result);
    for (std::size_t id = 0; id < transfers.size(); ++id)
        for (const LinkId link : transfers[id].links()) {
            const std::uint64_t carried = load[{transfers.step_of(id), link}] += weights[id];
            auto& rounds = result.rounds[transfers.step_of(id)];
            while (rounds * network.units(link) < carried)
                ++rounds;
        }
    return result;
}

Schedule with_places_renamed(const Schedule& schedule, SplitMix64& random)
{
    Schedule result = schedule;
    const auto& chunks = schedule.collective.chunks;
    const auto own = static_cast<PlaceId>(chunks.size());
    std::map<NodeId, std::vector<PlaceId>> renamed;
    const auto name_of = [&](NodeId node, PlaceId place) {
        auto& names = renamed[node];
        if (names.empty()) {
            names.resize(own + 4);
            std::iota(names.begin(), names.end(), 0U);
            if (random.below(2) == 0)
                for (std::size_t i = names.size(); i > 1; --i)
                    std::swap(names[i - 1], names[random.below(static_cast<std::uint32_t>(i))]);
        }
        return place < names.size() ? names[place] : place;
    };
    const auto replace = [&](std::vector<ChunkPlacement>& placements, std::uint32_t processor,
                             ChunkId chunk) {
        for (ChunkPlacement& placement : placements)
            if (placement.processor == processor && placement.chunk == chunk) {
                placement.place = name_of(processor, placement.place);
                return;
            }
        if (name_of(processor, chunk) != chunk)
            placements.push_back({processor, chunk, name_of(processor, chunk)});
    };
    for (ChunkId chunk = 0; chunk < own; ++chunk)
        for (const std::uint32_t contributor : chunks[chunk].contributors)
            replace(result.inputs, contributor, chunk);
    for (const Demand& demand : schedule.collective.demands)
        replace(result.outputs, demand.receiver, demand.chunk);
    for (Step& step : result.steps)
        for (Transfer& transfer : step) {
            transfer.message = name_of(transfer.source, transfer.message);
            transfer.to = name_of(transfer.destination, transfer.to);
        }
    return result;
}

Schedule listed_otherwise(const Schedule& schedule, SplitMix64& random)
{
    const std::vector<ListedTransfer> transfers = list_transfers(schedule);
    std::vector<std::uint32_t> order(transfers.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto share_a_link = [&](std::uint32_t a, std::uint32_t b) {
        const auto one = transfers[a].transfer.links(), other = transfers[b].transfer.links();
        return std::any_of(one.begin(), one.end(), [&](LinkId link) {
            return std::find(other.begin(), other.end(), link) != other.end();
        });
    };
    for (std::size_t swaps = 4 * order.size() * order.size(); order.size() > 1 && swaps > 0; --swaps) {
        const auto at = random.below(static_cast<std::uint32_t>(order.size() - 1));
        if (!share_a_link(order[at], order[at + 1]))
            std::swap(order[at], order[at + 1]);
    }
    std::vector<std::uint32_t> new_index(order.size());
    for (std::uint32_t index = 0; index < order.size(); ++index)
        new_index[order[index]] = index;
    std::vector<ListedTransfer> listed;
    for (const std::uint32_t id : order)
        for (std::uint32_t& before : listed.emplace_back(transfers[id]).after)
            before = new_index[before];
    Schedule result = schedule;
    set_transfers(result, std::move(listed));
    return result;
}

} // namespace nocturne::test
