#include "sim/chunk_replay/chunk_memory.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

PlaceId input_place(const ChunkedSchedule& schedule, std::uint32_t processor, ChunkId chunk)
{
    return placed(schedule.inputs, processor, chunk);
}

PlaceId output_place(const ChunkedSchedule& schedule, std::uint32_t processor, ChunkId chunk)
{
    return placed(schedule.outputs, processor, chunk);
}

std::vector<ChunkMemoryMap> chunk_memories(const ChunkedSchedule& schedule, const ChunkReplayOptions& options)
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
    for (std::size_t id = 0; id < schedule.transfers.size(); ++id) {
        const ChunkTransfer& transfer = schedule.transfers[id];
        if (transfer.source >= memories.size() || transfer.destination >= memories.size())
            throw std::invalid_argument(fmt::format(
                "transfer {} stores a chunk in a switch: the hardware has none that does", id + 1));
        memories[transfer.source].add(transfer.from, bytes_of(weights[id]));
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

std::vector<std::uint32_t> contribution(const ChunkedSchedule& schedule, ChunkId chunk,
                                        std::uint32_t processor, const ChunkReplayOptions& options)
{
    SplitMix64 random(options.seed ^ (std::uint64_t{chunk} << 32 | processor) * 0x9e3779b97f4a7c15);
    const Chunk& part = schedule.collective.chunks[chunk];
    std::vector<std::uint32_t> words(part.weight * options.bytes_per_weight / 4);
    // A float has 24 bits for whole numbers, and so many contributions are added at most.
    const unsigned bits = 23 - static_cast<unsigned>(std::bit_width(part.contributors.size()));
    for (std::uint32_t& word : words) {
        const auto value = static_cast<std::uint32_t>(random());
        word = options.element == ChunkElement::int32
                   ? value
                   : std::bit_cast<std::uint32_t>(static_cast<float>(value >> (32 - bits)));
    }
    return words;
}

void add_words(ChunkElement element, std::vector<std::uint32_t>& there,
               const std::vector<std::uint32_t>& came)
{
    for (std::size_t i = 0; i < there.size() && i < came.size(); ++i)
        there[i] = element == ChunkElement::int32
                       ? there[i] + came[i]
                       : std::bit_cast<std::uint32_t>(std::bit_cast<float>(there[i]) +
                                                      std::bit_cast<float>(came[i]));
}

std::vector<std::uint32_t> reference_sum(const ChunkedSchedule& schedule, const Demand& demand,
                                         const ChunkReplayOptions& options)
{
    std::vector<std::uint32_t> sum;
    for (const std::uint32_t contributor : demand.contributors) {
        const std::vector<std::uint32_t> part = contribution(schedule, demand.chunk, contributor, options);
        if (sum.empty())
            sum = part;
        else
            add_words(options.element, sum, part);
    }
    return sum;
}

} // namespace nocturne
