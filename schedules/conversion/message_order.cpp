#include "schedules/conversion/message_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace nocturne {

namespace {

using Parts = std::vector<std::uint32_t>;

/// Which deliveries results are made of, directly or by way of others.
std::vector<bool> needed_by_results(const ChunkHistory& history)
{
    std::vector<bool> needed(history.deliveries.size(), false);
    std::vector<std::uint32_t> open;
    const auto need = [&](const HeldChunk& held) {
        for (const std::uint32_t part : *held.parts)
            if (part != own_part && !needed[part]) {
                needed[part] = true;
                open.push_back(part);
            }
    };
    for (const HeldChunk& result : history.results)
        need(result);
    while (!open.empty()) {
        const std::uint32_t delivery = open.back();
        open.pop_back();
        need(history.deliveries[delivery].carried);
    }
    return needed;
}

/// One processor's place for one message.
struct Slot {
    std::optional<HeldChunk> held;
    Parts writers; ///< deliveries that what it holds is made of, the copy first
    Parts readers; ///< deliveries that have read it since the copy
};

class Slots {
public:
    Slots(const ChunkHistory& history, const Schedule& schedule, const LinkNetwork& network)
        : history_(history), chunks_(schedule.collective.chunks), network_(network)
    {
        order_.operations.resize(history.deliveries.size());
    }

    MessageOrder order(const Demands& demands) &&
    {
        const std::vector<bool> needed = needed_by_results(history_);
        for (const std::uint32_t delivery : history_.order)
            if (needed[delivery])
                read(delivery);
        for (std::size_t i = 0; i < demands.size(); ++i)
            make(demands[i].receiver, history_.results[i]);
        std::erase_if(order_.constraints, [&](const StepConstraint& it) {
            return !order_.operations[it.before] || !order_.operations[it.after];
        });
        return std::move(order_);
    }

private:
    Slot& slot_of(NodeId processor, ChunkId chunk)
    {
        const auto [found, is_new] = slots_.try_emplace(place_key(processor, chunk));
        const auto& contributors = chunks_[chunk].contributors;
        if (is_new && std::binary_search(contributors.begin(), contributors.end(), processor))
            found->second.held =
                HeldChunk{chunk, std::make_shared<const Parts>(1, own_part),
                          std::make_shared<const ContributionBits>(bits_of(chunks_[chunk], {processor}))};
        return found->second;
    }

    void read(std::uint32_t delivery)
    {
        const auto& [source, destination, path, carried] = history_.deliveries[delivery];
        make(source, carried);
        Slot& slot = slot_of(source, carried.chunk);
        for (const std::uint32_t writer : slot.writers)
            order_.constraints.push_back({writer, delivery, true});
        slot.readers.push_back(delivery);
    }

    /// The place holds that from now on.
    void make(NodeId processor, const HeldChunk& wanted)
    {
        Slot& slot = slot_of(processor, wanted.chunk);
        if (slot.held &&
            (slot.held->parts == wanted.parts || *slot.held->contributions == *wanted.contributions))
            return;
        Parts missing = *wanted.parts;
        const bool adds = slot.held && std::includes(missing.begin(), missing.end(),
                                                     slot.held->parts->begin(), slot.held->parts->end());
        if (adds)
            missing = difference(missing, *slot.held->parts);
        for (const std::uint32_t part : missing)
            if (part == own_part || order_.operations[part])
                refuse(processor, wanted.chunk);
        if (!adds) {
            const auto copied = std::find_if(missing.begin(), missing.end(), [&](std::uint32_t part) {
                return !slot.held || first_beyond(*history_.deliveries[part].carried.contributions,
                                                  *slot.held->contributions);
            });
            if (copied == missing.end())
                refuse(processor, wanted.chunk);
            copy(slot, *copied);
            missing.erase(copied);
        }
        for (const std::uint32_t part : missing)
            add(slot, part);
        slot.held = wanted;
    }

    static Parts difference(const Parts& all, const Parts& some)
    {
        Parts others;
        std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(others));
        return others;
    }

    void copy(Slot& slot, std::uint32_t delivery)
    {
        order_.operations[delivery] = Operation::copy;
        for (const std::uint32_t writer : slot.writers)
            order_.constraints.push_back({writer, delivery, true});
        wait_for_readers(slot, delivery);
        slot.writers.assign(1, delivery);
        slot.readers.clear();
    }

    void add(Slot& slot, std::uint32_t delivery)
    {
        order_.operations[delivery] = Operation::add;
        if (!slot.writers.empty() && order_.operations[slot.writers.front()] == Operation::copy)
            order_.constraints.push_back({slot.writers.front(), delivery, true});
        wait_for_readers(slot, delivery);
        slot.writers.push_back(delivery);
    }

    void wait_for_readers(const Slot& slot, std::uint32_t delivery)
    {
        for (const std::uint32_t reader : slot.readers)
            if (reader != delivery)
                order_.constraints.push_back({reader, delivery, false});
    }

    [[noreturn]] void refuse(NodeId processor, ChunkId chunk) const
    {
        throw std::invalid_argument(
            fmt::format("no schedule in steps: {} keeps sums of chunk {} apart from each other, and in steps "
                        "it has one place for them",
                        network_.node_name(processor), chunk));
    }

    const ChunkHistory& history_;
    const std::vector<Chunk>& chunks_;
    const LinkNetwork& network_;
    std::unordered_map<std::uint64_t, Slot> slots_;
    MessageOrder order_;
};

} // namespace

MessageOrder message_order_of(const ChunkHistory& history, const Schedule& schedule,
                              const LinkNetwork& network)
{
    return Slots(history, schedule, network).order(schedule.collective.demands);
}

} // namespace nocturne
