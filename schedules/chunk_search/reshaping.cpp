#include "schedules/chunk_search/reshaping.hpp"

#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

namespace nocturne {
namespace {

/// What links carry in each step, in which there is room for the units of one round.
class RoomInSteps {
public:
    explicit RoomInSteps(const LinkNetwork& network)
        : network_(network), load_(network.link_count()), first_open_(network.link_count(), 0)
    {
    }

    /// The first step from `earliest` on in which the whole path has room, which is taken. A chunk heavier
    /// than a round has room in an empty one.
    std::uint32_t take(std::span<const LinkId> path, std::uint64_t weight, std::uint32_t earliest)
    {
        std::uint32_t step = earliest;
        for (const LinkId link : path)
            step = std::max(step, first_open_[link]);
        while (!std::ranges::all_of(path, [&](LinkId link) { return has_room(link, weight, step); }))
            ++step;
        for (const LinkId link : path) {
            auto& loads = load_[link];
            loads.resize(std::max<std::size_t>(loads.size(), step + 1), 0);
            loads[step] += weight;
            while (first_open_[link] < loads.size() && loads[first_open_[link]] >= network_.units(link))
                ++first_open_[link];
        }
        return step;
    }

private:
    bool has_room(LinkId link, std::uint64_t weight, std::uint32_t step) const
    {
        const auto& loads = load_[link];
        return step >= loads.size() || loads[step] == 0 || loads[step] + weight <= network_.units(link);
    }

    const LinkNetwork& network_;
    std::vector<std::vector<std::uint64_t>> load_; ///< by link and step
    std::vector<std::uint32_t> first_open_;        ///< by link: no step before it has room
};

/// Places beyond the chunks' own that only hold what is added in the step in which it comes: a barrier lets
/// it be added at once, whatever is read there in the same step. Takes the local additions off the list,
/// whose transfers are in steps.
void add_at_once(std::vector<ListedTransfer>& listed, std::size_t chunks)
{
    struct Use {
        std::uint32_t writes = 0, copies = 0, reads = 0, local_reads = 0;
        std::uint32_t comes = 0; ///< the last transfer that writes
    };
    std::unordered_map<std::uint64_t, Use> uses; // by node and place
    for (std::uint32_t id = 0; id < listed.size(); ++id) {
        const Transfer& transfer = listed[id].transfer;
        Use& read = uses[place_key(transfer.source, transfer.message)];
        ++read.reads;
        read.local_reads += transfer.is_local();
        Use& written = uses[place_key(transfer.destination, transfer.to)];
        ++written.writes;
        written.copies += transfer.operation == Operation::copy;
        written.comes = id;
    }
    std::vector<bool> is_superfluous(listed.size(), false);
    for (std::uint32_t id = 0; id < listed.size(); ++id) {
        const Transfer& addition = listed[id].transfer;
        if (!addition.is_local() || addition.operation != Operation::add || addition.message < chunks)
            continue;
        const Use& scratch = uses.at(place_key(addition.source, addition.message));
        const Transfer& coming = listed[scratch.comes].transfer;
        // What is copied to a place, or read from it by local transfers, depends on their order.
        const Use& sum = uses.at(place_key(addition.destination, addition.to));
        if (scratch.writes != 1 || scratch.reads != 1 || coming.is_local() ||
            coming.operation != Operation::copy || listed[scratch.comes].step != listed[id].step ||
            sum.copies > 0 || sum.local_reads > 0)
            continue;
        listed[scratch.comes].transfer.to = addition.to;
        listed[scratch.comes].transfer.operation = Operation::add;
        is_superfluous[id] = true;
    }
    std::uint32_t id = 0;
    std::erase_if(listed, [&](const ListedTransfer&) { return is_superfluous[id++]; });
}

} // namespace

Schedule in_steps(const Schedule& schedule, const LinkNetwork& network, StepPacking packing)
{
    Schedule result = schedule;
    result.synchronization = ScheduleSynchronization::steps;
    std::vector<ListedTransfer> listed = list_transfers(schedule);
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    RoomInSteps room(network);
    for (const std::uint32_t id : order_of_transfers(schedule, network)) {
        const Transfer& transfer = listed[id].transfer;
        std::uint32_t step = 0;
        for (const std::uint32_t before : listed[id].after)
            // Local transfers end a step, in which what they wait for may have come.
            step = std::max(step, listed[before].step + (transfer.is_local() ? 0 : 1));
        if (!transfer.is_local() && packing == StepPacking::fewest_rounds)
            step = room.take(transfer.links(), weights[id], step);
        listed[id].step = step;
    }
    if (schedule.inputs.empty() && schedule.outputs.empty())
        add_at_once(listed, schedule.collective.chunks.size());
    std::stable_partition(listed.begin(), listed.end(),
                          [](const ListedTransfer& one) { return !one.transfer.is_local(); });
    set_transfers(result, std::move(listed));
    set_least_rounds(result, network);
    return result;
}

Schedule in_more_parts(const Schedule& schedule, std::uint32_t factor)
{
    Schedule result = schedule;
    result.collective = in_parts(schedule.collective, factor);
    for (std::uint32_t& rounds : result.rounds)
        rounds *= factor;
    std::vector<ListedTransfer> listed;
    for (const ListedTransfer& one : list_transfers(schedule))
        for (std::uint32_t piece = 0; piece < factor; ++piece) {
            auto& [transfer, step, after] = listed.emplace_back(one);
            transfer.message = transfer.message * factor + piece;
            transfer.to = (transfer.to * factor + piece) % place_limit;
            for (std::uint32_t& before : after)
                before = before * factor + piece;
        }
    set_transfers(result, std::move(listed));
    const auto cut = [&](std::vector<ChunkPlacement>& placements) {
        std::vector<ChunkPlacement> all;
        for (const auto& [processor, chunk, place] : placements)
            for (std::uint32_t piece = 0; piece < factor; ++piece)
                all.push_back({processor, chunk * factor + piece, place * factor + piece});
        placements = std::move(all);
    };
    cut(result.inputs);
    cut(result.outputs);
    return result;
}

} // namespace nocturne
