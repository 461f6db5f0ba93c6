#include "schedules/chunks/place_values.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {

namespace {

std::uint64_t key_of(NodeId node, PlaceId place)
{
    return std::uint64_t{node} << 32 | place;
}

std::optional<std::size_t> first_bit(std::size_t word, std::uint64_t bits)
{
    return bits == 0 ? std::nullopt : std::optional{word * 64 + std::size_t(std::countr_zero(bits))};
}

} // namespace

PlaceValues::PlaceValues(const ChunkedSchedule& schedule)
{
    const auto& chunks = schedule.collective.chunks;
    std::unordered_map<std::uint64_t, PlaceId> place_of; // of (processor, chunk), where it is not its own
    for (const ChunkPlacement& input : schedule.inputs)
        place_of[key_of(input.processor, input.chunk)] = input.place;
    const auto alone = std::make_shared<const ContributionBits>(1, 1); // the only contribution to a chunk
    values_.reserve(chunks.size() + schedule.transfers.size());
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

std::optional<std::size_t> first_common(const ContributionBits& a, const ContributionBits& b)
{
    for (std::size_t word = 0; word < a.size(); ++word)
        if (const auto bit = first_bit(word, a[word] & b[word]))
            return bit;
    return std::nullopt;
}

std::optional<std::size_t> first_beyond(const ContributionBits& a, const ContributionBits& b)
{
    for (std::size_t word = 0; word < a.size(); ++word)
        if (const auto bit = first_bit(word, a[word] & ~b[word]))
            return bit;
    return std::nullopt;
}

ContributionBits united(const ContributionBits& a, const ContributionBits& b)
{
    ContributionBits both = a;
    for (std::size_t word = 0; word < a.size(); ++word)
        both[word] |= b[word];
    return both;
}

ContributionBits bits_of(const Chunk& chunk, const std::vector<std::uint32_t>& contributors)
{
    ContributionBits bits((chunk.contributors.size() + 63) / 64, 0);
    for (const std::uint32_t contributor : contributors) {
        const auto found =
            std::lower_bound(chunk.contributors.begin(), chunk.contributors.end(), contributor);
        const auto index = static_cast<std::size_t>(found - chunk.contributors.begin());
        bits[index / 64] |= std::uint64_t{1} << index % 64;
    }
    return bits;
}

} // namespace nocturne
