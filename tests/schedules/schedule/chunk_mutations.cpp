#include "tests/schedules/schedule/random_chunks.hpp"

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
void move_in_list(std::vector<ListedTransfer>& transfers, std::uint32_t from, std::uint32_t to)
{
    std::vector<std::uint32_t> order(transfers.size());
    std::iota(order.begin(), order.end(), 0U);
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from);
    std::vector<std::uint32_t> new_index(order.size());
    std::vector<ListedTransfer> moved;
    for (std::uint32_t index = 0; index < order.size(); ++index) {
        new_index[order[index]] = index;
        moved.push_back(transfers[order[index]]);
    }
    for (ListedTransfer& one : moved)
        for (std::uint32_t& before : one.after)
            before = new_index[before];
    transfers = std::move(moved);
}

void drop(std::vector<ListedTransfer>& transfers, std::uint32_t id)
{
    transfers.erase(transfers.begin() + id);
    for (ListedTransfer& one : transfers) {
        std::erase(one.after, id);
        for (std::uint32_t& before : one.after)
            before -= before > id ? 1 : 0;
    }
}

/// Another place of a node, own or scratch.
PlaceId random_place(const Schedule& schedule, SplitMix64& random)
{
    return random.below(static_cast<std::uint32_t>(schedule.collective.chunks.size()) + 3);
}

void mutate_transfer(const Schedule& schedule, std::vector<ListedTransfer>& transfers,
                     const LinkNetwork& network, std::uint32_t id, SplitMix64& random)
{
    Transfer& transfer = transfers[id].transfer;
    Path& path = *transfer.path;
    const auto count = static_cast<std::uint32_t>(transfers.size());
    switch (random.below(9)) {
    case 0:
        transfer.message = random_place(schedule, random);
        break;
    case 1:
        transfer.to = random_place(schedule, random);
        break;
    case 2:
        transfer.set_message(random_place(schedule, random));
        break;
    case 3:
        transfer.operation = transfer.operation == Operation::add ? Operation::copy : Operation::add;
        break;
    case 4: // over other links, to wherever they lead
        if (!path.empty()) {
            one_of(path, random) = random.below(static_cast<LinkId>(network.link_count()));
            transfer.source = network.link(path.front()).source;
            transfer.destination = network.link(path.back()).target;
        }
        break;
    case 5: // elsewhere
        (random.below(2) == 0 ? transfer.source : transfer.destination) =
            random.below(static_cast<NodeId>(network.node_count()));
        break;
    case 6: // on from where it came over one more link
        path.push_back(random.below(static_cast<LinkId>(network.link_count())));
        transfer.destination = network.link(path.back()).target;
        break;
    case 7: // both ends at once
        if (const Transfer& other = transfers[random.below(count)].transfer; true) {
            transfer.message = other.message;
            transfer.to = other.to;
        }
        break;
    default: // local
        path.clear();
        transfer.destination = transfer.source;
        transfer.to = random_place(schedule, random);
        break;
    }
}

void mutate_order(Schedule& schedule, std::vector<ListedTransfer>& transfers, std::uint32_t id,
                  SplitMix64& random)
{
    auto& [transfer, step, after] = transfers[id];
    const auto count = static_cast<std::uint32_t>(transfers.size());
    if (is_in_steps(schedule)) {
        const auto steps = static_cast<std::uint32_t>(schedule.rounds.size());
        switch (random.below(3)) {
        case 0:
            step = random.below(steps);
            break;
        case 1:
            step += random.below(2) == 0 || step == 0 ? 1 : ~0U;
            break;
        default:
            one_of(schedule.rounds, random) += random.below(2) == 0 ? 1 : ~0U;
            break;
        }
        return;
    }
    switch (random.below(4)) {
    case 0:
        if (!after.empty())
            std::swap(one_of(after, random), after.back());
        if (!after.empty())
            after.pop_back();
        break;
    case 1:
        after.push_back(random.below(count));
        break;
    case 2:
        if (!after.empty())
            one_of(after, random) = random.below(count);
        break;
    default: // behind what is behind it
        for (const std::uint32_t before : std::vector<std::uint32_t>(after)) {
            const auto& more = transfers[before].after;
            after.insert(after.end(), more.begin(), more.end());
            std::erase(after, before);
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
            const auto is_placed = [&](const ChunkPlacement& output) {
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
    std::vector<ListedTransfer> transfers = list_transfers(schedule);
    if (transfers.empty()) {
        mutate_surroundings(schedule, random);
        return;
    }
    const auto count = static_cast<std::uint32_t>(transfers.size());
    const std::uint32_t id = random.below(count);
    switch (random.below(8)) {
    case 0:
        drop(transfers, id);
        break;
    case 1: {
        ListedTransfer again = transfers[id];
        if (!is_in_steps(schedule) && random.below(2) == 0)
            again.after.push_back(id);
        transfers.push_back(again);
        if (is_in_steps(schedule))
            move_in_list(transfers, count, id);
        break;
    }
    case 2:
        move_in_list(transfers, id, random.below(count));
        break;
    case 3:
    case 4:
        mutate_order(schedule, transfers, id, random);
        break;
    case 5:
        mutate_surroundings(schedule, random);
        break;
    default:
        mutate_transfer(schedule, transfers, network, id, random);
        break;
    }
    set_transfers(schedule, std::move(transfers));
}

} // namespace nocturne::test
