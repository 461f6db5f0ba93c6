#include "schedules/scatter/holder_table.hpp"

#include <algorithm>

namespace nocturne {
namespace {

constexpr std::uint32_t block_steps = 64 * block_words;

std::uint64_t bit_of(std::uint32_t step)
{
    return std::uint64_t{1} << step % 64;
}

} // namespace

HolderTable::HolderTable(std::span<const std::uint32_t> capacity, std::uint32_t steps)
    : capacity_(capacity.begin(), capacity.end()), steps_(steps),
      blocks_((steps + block_steps - 1) / block_steps)
{
    std::size_t slots = 0;
    for (const std::uint32_t each : capacity_) {
        first_slot_.push_back(slots);
        slots += std::size_t{each} * steps_;
    }
    holders_.assign(slots, no_message);
    full_.reserve(capacity_.size() * blocks_);
    for (ResourceId id = 0; id < capacity_.size(); ++id)
        for (std::size_t block = 0; block < blocks_; ++block)
            full_.push_back(~inside(block));
}

StepBlock HolderTable::inside(std::size_t block) const
{
    StepBlock words{};
    for (std::size_t word = 0; word < block_words; ++word) {
        const std::size_t first = (block * block_words + word) * 64;
        words[word] = first + 64 <= steps_ ? ~std::uint64_t{0} : first >= steps_ ? 0 : bit_of(steps_) - 1;
    }
    return words;
}

void HolderTable::take(ResourceId id, std::uint32_t step, MessageId message)
{
    replace(id, step, no_message, message);
    const auto held = holders(id, step);
    if (std::find(held.begin(), held.end(), no_message) == held.end())
        full_[id * blocks_ + step / block_steps][step % block_steps / 64] |= bit_of(step);
}

void HolderTable::release(ResourceId id, std::uint32_t step, MessageId message)
{
    replace(id, step, message, no_message);
    full_[id * blocks_ + step / block_steps][step % block_steps / 64] &= ~bit_of(step);
}

void HolderTable::replace(ResourceId id, std::uint32_t step, MessageId from, MessageId to)
{
    const auto first = holders_.begin() + static_cast<std::ptrdiff_t>(first_slot(id, step));
    *std::find(first, first + capacity_[id], from) = to;
}

} // namespace nocturne
