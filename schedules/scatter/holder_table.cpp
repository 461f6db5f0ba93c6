#include "schedules/scatter/holder_table.hpp"

#include <algorithm>

namespace nocturne {

namespace {

std::uint64_t bit_of(std::uint32_t step)
{
    return std::uint64_t{1} << step % 64;
}

} // namespace

HolderTable::HolderTable(std::span<const std::uint32_t> capacity, std::uint32_t steps,
                         std::span<const Price> price_of)
    : capacity_(capacity.begin(), capacity.end()), price_of_(price_of), steps_(steps),
      words_((steps + 63) / 64), row_((steps + lane_count - 1) / lane_count * lane_count),
      full_(capacity_.size() * words_, 0), prices_(capacity_.size() * row_, 0),
      tags_(prices_.size(), free_tag)
{
    std::size_t slots = 0;
    for (ResourceId id = 0; id < capacity_.size(); ++id) {
        first_slot_.push_back(slots);
        slots += std::size_t{capacity_[id]} * steps_;
        if (steps_ % 64 != 0)
            full_[id * words_ + words_ - 1] = ~(bit_of(steps_) - 1);
        const auto row = prices_.begin() + static_cast<std::ptrdiff_t>(id * row_);
        std::fill(row + steps_, row + static_cast<std::ptrdiff_t>(row_), most_price);
    }
    holders_.assign(slots, no_message);
}

MessageId HolderTable::cheapest_holder(ResourceId id, std::uint32_t step) const
{
    const auto held = holders(id, step);
    MessageId cheapest = held.front();
    for (const MessageId holder : held)
        if (holder == no_message)
            return no_message;
        else if (price_of_[holder] < price_of_[cheapest])
            cheapest = holder;
    return cheapest;
}

void HolderTable::take(ResourceId id, std::uint32_t step, MessageId message)
{
    replace(id, step, no_message, message);
    price(id, step);
}

void HolderTable::release(ResourceId id, std::uint32_t step, MessageId message)
{
    replace(id, step, message, no_message);
    price(id, step);
}

void HolderTable::price_again()
{
    for (ResourceId id = 0; id < capacity_.size(); ++id)
        for (std::uint32_t step = 0; capacity_[id] > 0 && step < steps_; ++step)
            price(id, step);
}

void HolderTable::replace(ResourceId id, std::uint32_t step, MessageId from, MessageId to)
{
    const auto first = holders_.begin() + static_cast<std::ptrdiff_t>(first_slot(id, step));
    *std::find(first, first + capacity_[id], from) = to;
}

void HolderTable::price(ResourceId id, std::uint32_t step)
{
    const MessageId cheapest = cheapest_holder(id, step);
    std::uint64_t& full = full_[id * words_ + step / 64];
    const std::size_t at = id * row_ + step;
    if (cheapest == no_message) {
        full &= ~bit_of(step);
        prices_[at] = 0;
        tags_[at] = free_tag;
    } else {
        full |= bit_of(step);
        prices_[at] = price_of_[cheapest];
        tags_[at] = static_cast<Tag>(cheapest % free_tag);
    }
}

} // namespace nocturne
