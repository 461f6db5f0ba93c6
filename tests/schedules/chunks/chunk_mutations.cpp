#include "tests/schedules/chunks/random_chunks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nocturne::test {

namespace {

template <class Container>
auto& one_of(Container& container, SplitMix64& random)
{
    return container[random.below(static_cast<std::uint32_t>(container.size()))];
}

/// The transfer goes where another was; the others keep their order, and what they wait for.
void move_in_list(Schedule& schedule, std::uint32_t from, std::uint32_t to)
{
    auto& transfers = schedule.transfers;
    std::vector<std::uint32_t> order(transfers.size());
    std::iota(order.begin(), order.end(), 0U);
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from);
    std::vector<std::uint32_t> new_index(order.size());
    std::vector<Transfer> moved;
    for (std::uint32_t index = 0; index < order.size(); ++index) {
        new_index[order[index]] = index;
        moved.push_back(transfers[order[index]]);
    }
    for (Transfer& transfer : moved)
        for (std::uint32_t& before : transfer.after)
            before = new_index[before];
    transfers = std::move(moved);
}

void drop(Schedule& schedule, std::uint32_t id)
{
    schedule.transfers.erase(schedule.transfers.begin() + id);
    for (Transfer& transfer : schedule.transfers) {
        std::erase(transfer.after, id);
        for (std::uint32_t& before : transfer.after)
            before -= before > id ? 1 : 0;
    }
}

/// Another place of a node, own or scratch.
PlaceId random_place(const Schedule& schedule, SplitMix64& random)
{
    return random.below(static_cast<std::uint32_t>(schedule.collective.chunks.size()) + 3);
}

void mutate_transfer(Schedule& schedule, const LinkNetwork& network, std::uint32_t id,
                     SplitMix64& random)
{
    Transfer& transfer = schedule.transfers[id];
    const auto count = static_cast<std::uint32_t>(schedule.transfers.size());
    switch (random.below(9)) {
    case 0:
        transfer.from = random_place(schedule, random);
        break;
    case 1:
        transfer.to = random_place(schedule, random);
        break;
    case 2:
        transfer.from = transfer.to = random_place(schedule, random);
        break;
    case 3:
        transfer.operation = transfer.operation == Operation::add ? Operation::copy : Operation::add;
        break;
    case 4: // over other links, to wherever they lead
        if (!transfer.path.empty()) {
            one_of(transfer.path, random) = random.below(static_cast<LinkId>(network.link_count()));
            transfer.source = network.link(transfer.path.front()).source;
            transfer.destination = network.link(transfer.path.back()).target;
        }
        break;
    case 5: // elsewhere
        (random.below(2) == 0 ? transfer.source : transfer.destination) =
            random.below(static_cast<NodeId>(network.node_count()));
        break;
    case 6: // on from where it came over one more link
        transfer.path.push_back(random.below(static_cast<LinkId>(network.link_count())));
        transfer.destination = network.link(transfer.path.back()).target;
        break;
    case 7: // both ends at once
        if (const Transfer& other = schedule.transfers[random.below(count)]; true) {
            transfer.from = other.from;
            transfer.to = other.to;
        }
        break;
    default: // local
        transfer.path.clear();
        transfer.destination = transfer.source;
        transfer.to = random_place(schedule, random);
        break;
    }
}

void mutate_order(Schedule& schedule, std::uint32_t id, SplitMix64& random)
{
    Transfer& transfer = schedule.transfers[id];
    const auto count = static_cast<std::uint32_t>(schedule.transfers.size());
    if (schedule.synchronization == Synchronization::steps) {
        const auto steps = static_cast<std::uint32_t>(schedule.rounds.size());
        switch (random.below(3)) {
        case 0:
            transfer.step = random.below(steps);
            break;
        case 1:
            transfer.step += random.below(2) == 0 || transfer.step == 0 ? 1 : ~0U;
            break;
        default:
            one_of(schedule.rounds, random) += random.below(2) == 0 ? 1 : ~0U;
            break;
        }
        if (random.below(8) > 0)
            std::stable_sort(schedule.transfers.begin(), schedule.transfers.end(),
                             [](const auto& a, const auto& b) { return a.step < b.step; });
        return;
    }
    switch (random.below(4)) {
    case 0:
        if (!transfer.after.empty())
            std::swap(one_of(transfer.after, random), transfer.after.back());
        if (!transfer.after.empty())
            transfer.after.pop_back();
        break;
    case 1:
        transfer.after.push_back(random.below(count));
        break;
    case 2:
        if (!transfer.after.empty())
            one_of(transfer.after, random) = random.below(count);
        break;
    default: // behind what is behind it
        for (const std::uint32_t before : std::vector<std::uint32_t>(transfer.after)) {
            const auto& more = schedule.transfers[before].after;
            transfer.after.insert(transfer.after.end(), more.begin(), more.end());
            std::erase(transfer.after, before);
        }
        break;
    }
}

void mutate_surroundings(Schedule& schedule, SplitMix64& random)
{
    auto& chunks = schedule.collective.chunks;
    const ChunkId chunk = random.below(static_cast<ChunkId>(chunks.size()));
    switch (random.below(3)) {
    case 0:
        chunks[chunk].weight = random.below(6);
        break;
    case 1:
        schedule.inputs.push_back(
            {one_of(static_cast<const std::vector<std::uint32_t>&>(chunks[chunk].contributors), random),
             chunk, random_place(schedule, random)});
        break;
    default:
        if (!schedule.collective.demands.empty()) {
            const Demand& demand = one_of(schedule.collective.demands, random);
            const auto is_placed = [&](const Placement& output) {
                return output.processor == demand.receiver && output.chunk == demand.chunk;
            };
            std::erase_if(schedule.outputs, is_placed);
            schedule.outputs.push_back({demand.receiver, demand.chunk,
                                        static_cast<PlaceId>(chunks.size()) + 3 + random.below(1000)});
        }
        break;
    }
}

} // namespace

void mutate(Schedule& schedule, const LinkNetwork& network, SplitMix64& random)
{
    if (schedule.transfers.empty()) {
        mutate_surroundings(schedule, random);
        return;
    }
    const auto count = static_cast<std::uint32_t>(schedule.transfers.size());
    const std::uint32_t id = random.below(count);
    switch (random.below(8)) {
    case 0:
        drop(schedule, id);
        break;
    case 1: {
        Transfer again = schedule.transfers[id];
        if (schedule.synchronization == Synchronization::dependencies && random.below(2) == 0)
            again.after.push_back(id);
        schedule.transfers.push_back(again);
        if (schedule.synchronization == Synchronization::steps)
            move_in_list(schedule, count, id);
        break;
    }
    case 2:
        move_in_list(schedule, id, random.below(count));
        break;
    case 3:
    case 4:
        mutate_order(schedule, id, random);
        break;
    case 5:
        mutate_surroundings(schedule, random);
        break;
    default:
        mutate_transfer(schedule, network, id, random);
        break;
    }
}

} // namespace nocturne::test
