#include "sim/execution/memories.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);

void check_sizes(const std::vector<std::uint64_t>& sizes)
{
    for (std::size_t id = 0; id < sizes.size(); ++id)
        if (sizes[id] > largest_memory)
            throw std::invalid_argument(
                fmt::format("the data of processor {} takes {} bytes, more than 4 GiB", id, sizes[id]));
    const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    if (total > all_memories)
        throw std::invalid_argument(fmt::format(
            "the memories of all processors need {} GiB, more than {} GiB", total >> 30, all_memories >> 30));
}

} // namespace

Memories::Memories(std::vector<PlaceUse> uses, std::uint32_t processors, const ContentForm& form)
    : form_(form), first_(processors + 1, 0), sizes_(processors, 0)
{
    // Of three numbers it takes twice as long.
    const auto key_of = [](const PlaceUse& use) { return std::uint64_t{use.processor} << 32U | use.place; };
    std::ranges::sort(uses, {}, key_of);
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < uses.size();) {
        const PlaceUse& use = uses[i];
        std::uint64_t bytes = 0;
        for (const std::uint64_t key = key_of(use); i < uses.size() && key_of(uses[i]) == key; ++i)
            bytes = std::max<std::uint64_t>(bytes, uses[i].bytes);
        const std::uint64_t words = form_.words(bytes);
        places_.push_back(use.place);
        begins_.push_back(begin);
        begin += words;
        sizes_[use.processor] += words * word_bytes;
        ++first_[use.processor + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    check_sizes(sizes_);
    words_total_ = begin;
}

std::optional<SlotId> Memories::find(ProcessorId processor, PlaceId place) const
{
    const auto begin = places_.begin() + first_[processor];
    const auto end = places_.begin() + first_[processor + 1];
    const auto found = std::lower_bound(begin, end, place);
    if (found != end && *found == place)
        return static_cast<SlotId>(found - places_.begin());
    const auto added = added_.find({processor, place});
    return added == added_.end() ? std::nullopt : std::optional(added->second);
}

SlotId Memories::add(const PlaceUse& use)
{
    if (const auto there = find(use.processor, use.place))
        return *there;
    const auto slot = static_cast<SlotId>(places_.size());
    const std::uint64_t words = form_.words(use.bytes);
    places_.push_back(use.place);
    begins_.push_back(words_total_);
    words_total_ += words;
    sizes_[use.processor] += words * word_bytes;
    check_sizes(sizes_);
    added_.emplace(std::pair(use.processor, use.place), slot);
    fill();
    return slot;
}

void Memories::fill()
{
    SplitMix64 random(form_.seed + words_.size());
    words_.reserve(words_total_);
    while (words_.size() < words_total_)
        words_.push_back(static_cast<std::uint32_t>(random()));
}

std::span<const std::uint32_t> Memories::content(SlotId slot, std::uint64_t bytes) const
{
    return std::span(words_).subspan(begins_[slot], form_.words(bytes));
}

void Memories::put(SlotId slot, std::span<const std::uint32_t> came, Operation operation)
{
    const std::span<std::uint32_t> there = std::span(words_).subspan(begins_[slot], came.size());
    if (operation == Operation::add)
        add_content(form_, there, came);
    else
        std::ranges::copy(came, there.begin());
}

void Memories::move(SlotId from, SlotId to, std::uint64_t bytes, Operation operation)
{
    put(to, content(from, bytes), operation);
}

} // namespace nocturne
