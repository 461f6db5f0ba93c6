#include "schedules/schedule/place_values.hpp"

namespace nocturne {

namespace {

std::uint64_t key_of(NodeId node, PlaceId place)
{
    return std::uint64_t{node} << 32 | place;
}

} // namespace

PlaceValues::PlaceValues(const Schedule& schedule)
{
    const auto& chunks = schedule.collective.chunks;
    std::unordered_map<std::uint64_t, PlaceId> place_of; // of (processor, chunk), where it is not its own
    for (const Placement& input : schedule.inputs)
        place_of[key_of(input.processor, input.chunk)] = input.place;
    const auto alone = std::make_shared<const ContributionBits>(1, 1); // the only contribution to a chunk
    values_.reserve(chunks.size() + count_transfers(schedule));
    for (ChunkId chunk = 0; chunk < chunks.size(); ++chunk)
        for (const std::uint32_t processor : chunks[chunk].contributors) {
            const auto found = place_of.find(key_of(processor, chunk));
            set(processor, found == place_of.end() ? chunk : found->second,
                {chunk, chunks[chunk].contributors.size() == 1
                            ? alone
                            : std::make_shared<const ContributionBits>(bits_of(chunks[chunk], {processor}))});
        }
}

const PlaceValue* PlaceValues::find(NodeId node, PlaceId place) const
{
    const auto found = values_.find(key_of(node, place));
    return found == values_.end() ? nullptr : &found->second;
}

void PlaceValues::set(NodeId node, PlaceId place, PlaceValue value)
{
    values_[key_of(node, place)] = std::move(value);
}

} // namespace nocturne
