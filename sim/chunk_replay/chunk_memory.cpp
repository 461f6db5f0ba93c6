#include "sim/chunk_replay/chunk_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

PlaceId placed(const std::vector<ChunkPlacement>& placements, std::uint32_t processor, ChunkId chunk)
{
    const auto found =
        std::find_if(placements.begin(), placements.end(), [&](const ChunkPlacement& placement) {
            return placement.processor == processor && placement.chunk == chunk;
        });
    return found == placements.end() ? chunk : found->place;
}

} // namespace

void ChunkMemoryMap::add(PlaceId place, std::uint64_t bytes)
{
    Extent& extent = places_[place];
    extent.bytes = std::max(extent.bytes, bytes);
}

void ChunkMemoryMap::lay_out()
{
    std::vector<PlaceId> order;
    for (const auto& [place, extent] : places_)
        order.push_back(place);
    std::sort(order.begin(), order.end());
    for (const PlaceId place : order) {
        Extent& extent = places_[place];
        extent.address = bytes_;
        bytes_ += extent.bytes;
    }
}

PlaceId input_place(const Schedule& schedule, std::uint32_t processor, ChunkId chunk)
{
    return placed(schedule.inputs, processor, chunk);
}

PlaceId output_place(const Schedule& schedule, std::uint32_t processor, ChunkId chunk)
{
    return placed(schedule.outputs, processor, chunk);
}

std::vector<ChunkMemoryMap> chunk_memories(const Schedule& schedule, const ChunkReplayOptions& options)
{
    const auto& chunks = schedule.collective.chunks;
    std::vector<ChunkMemoryMap> memories(schedule.collective.processors);
    const auto bytes_of = [&](std::uint32_t weight) { return weight * options.bytes_per_weight; };
    for (ChunkId chunk = 0; chunk < chunks.size(); ++chunk)
        for (const std::uint32_t processor : chunks[chunk].contributors)
            memories[processor].add(input_place(schedule, processor, chunk), bytes_of(chunks[chunk].weight));
    for (const Demand& demand : schedule.collective.demands)
        memories[demand.receiver].add(output_place(schedule, demand.receiver, demand.chunk),
                                      bytes_of(chunks[demand.chunk].weight));
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    for (std::size_t id = 0; id < transfers.size(); ++id) {
        const Transfer& transfer = transfers[id];
        if (transfer.source >= memories.size() || transfer.destination >= memories.size())
            throw std::invalid_argument(fmt::format(
                "transfer {} stores a chunk in a switch: the hardware has none that does", id + 1));
        memories[transfer.source].add(transfer.message, bytes_of(weights[id]));
        memories[transfer.destination].add(transfer.to, bytes_of(weights[id]));
    }
    for (ChunkMemoryMap& memory : memories) {
        memory.lay_out();
        if (memory.bytes() >= std::uint64_t{1} << 32)
            throw std::invalid_argument(
                fmt::format("{} bytes a chunk make a memory of 4 GiB or more", options.bytes_per_weight));
    }
    return memories;
}

ContributionForm form_of(const Schedule& schedule, ChunkId chunk, const ChunkReplayOptions& options)
{
    return {schedule.collective.chunks[chunk].weight * options.bytes_per_weight, options.element,
            options.seed};
}

} // namespace nocturne
