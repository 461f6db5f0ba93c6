#include "sim/execution/collective_contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

void CollectiveContents::set_placements(std::span<const ChunkPlacement> inputs,
                                        std::span<const ChunkPlacement> outputs)
{
    for (const ChunkPlacement& each : inputs)
        inputs_.emplace(std::pair(each.processor, each.chunk), each.place);
    for (const ChunkPlacement& each : outputs)
        outputs_.emplace(std::pair(each.processor, each.chunk), each.place);
}

PlaceId CollectiveContents::place_in(const Placements& placements, ProcessorId processor, ChunkId chunk)
{
    const auto found = placements.find({processor, chunk});
    return found == placements.end() ? chunk : found->second;
}

Memories CollectiveContents::memories_with(std::vector<PlaceUse> uses) const
{
    for (ChunkId chunk = 0; chunk < collective_->chunks.size(); ++chunk)
        for (const ProcessorId processor : collective_->chunks[chunk].contributors)
            uses.push_back({processor, place_in(inputs_, processor, chunk), bytes_of(chunk)});
    for (const Demand& demand : collective_->demands)
        uses.push_back(
            {demand.receiver, place_in(outputs_, demand.receiver, demand.chunk), bytes_of(demand.chunk)});
    try {
        return {std::move(uses), collective_->processors, form_};
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(
            fmt::format("messages of {} bytes: {}", sizes_.bytes_per_weight, error.what()));
    }
}

void CollectiveContents::load(Memories& memories) const
{
    memories.fill();
    std::vector<std::uint32_t> wrong;
    for_each_result([&](const Demand& demand, std::span<const std::uint32_t> owed) {
        wrong.resize(owed.size());
        std::ranges::transform(owed, wrong.begin(), std::bit_not());
        memories.put(memories.slot(demand.receiver, place_in(outputs_, demand.receiver, demand.chunk)), wrong,
                     Operation::copy);
    });
    for (ChunkId chunk = 0; chunk < collective_->chunks.size(); ++chunk)
        for (const ProcessorId processor : collective_->chunks[chunk].contributors)
            memories.put(memories.slot(processor, place_in(inputs_, processor, chunk)),
                         contributed_content(*collective_, chunk, processor, bytes_of(chunk), form_),
                         Operation::copy);
}

void CollectiveContents::for_each_result(const VisitResult& visit) const
{
    std::vector<std::uint32_t> owed;
    const Demand* before = nullptr;
    for (const Demand& demand : collective_->demands) {
        if (before == nullptr || !have_same_content(*before, demand))
            owed = owed_content(*collective_, demand, bytes_of(demand.chunk), form_);
        before = &demand;
        visit(demand, owed);
    }
}

bool CollectiveContents::holds(const Memories& memories, const Demand& demand,
                               std::span<const std::uint32_t> owed) const
{
    const PlaceId place = place_in(outputs_, demand.receiver, demand.chunk);
    return std::ranges::equal(
        owed, memories.content(memories.slot(demand.receiver, place), bytes_of(demand.chunk)));
}

} // namespace nocturne
