// Who holds which resource in which step, for millions of messages.
#pragma once

#include "schedules/problem/resources.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Steps whose prices are added together, as numbers of 16 bits.
inline constexpr std::size_t lane_count = 8;

/// The steps in which resources have no room left, the messages that hold them, and what it costs to make
/// room. Takes 8 bytes for a resource and step, 4 more for each further unit of capacity.
class HolderTable {
public:
    /// Of making a message go. What is larger, sums included, is `most_price`.
    using Price = std::uint16_t;
    static constexpr Price most_price = 0xffff;
    /// Tells holders of one step from each other: the rest of a message's number, so that two of them are
    /// taken for one once in 65535 times, or `free_tag`.
    using Tag = std::uint16_t;
    static constexpr Tag free_tag = 0xffff;

    /// Nobody holds anything in the `steps` (1 or more) steps. A resource of capacity 0 must not be asked
    /// for. `price_of`, by message, must outlive the table; a message that has a place keeps its price, or
    /// else price_again() follows.
    HolderTable(std::span<const std::uint32_t> capacity, std::uint32_t steps,
                std::span<const Price> price_of);

    std::uint32_t steps() const { return steps_; }
    /// Of 64 steps, a bit each.
    std::size_t words() const { return words_; }

    /// The steps of a word in which the resource has no room; there is none behind the last step.
    std::uint64_t full(ResourceId id, std::size_t word) const { return full_[id * words_ + word]; }
    /// One place for each unit of capacity; no_message where it is free.
    std::span<const MessageId> holders(ResourceId id, std::uint32_t step) const
    {
        return std::span(holders_).subspan(first_slot(id, step), capacity_[id]);
    }
    /// The holder that costs least, which goes first if room is needed; no_message if there is room.
    MessageId cheapest_holder(ResourceId id, std::uint32_t step) const;
    /// By step, filled up to a multiple of lane_count: what it costs to make room for one message; 0 where
    /// there is some, most_price behind the last step.
    std::span<const Price> prices(ResourceId id) const { return std::span(prices_).subspan(id * row_, row_); }
    /// By step: of the holder that costs least; free_tag where there is room.
    std::span<const Tag> tags(ResourceId id) const { return std::span(tags_).subspan(id * row_, row_); }

    /// There must be room.
    void take(ResourceId id, std::uint32_t step, MessageId message);
    /// The message must hold the resource.
    void release(ResourceId id, std::uint32_t step, MessageId message);
    /// The prices of messages that have places have changed.
    void price_again();

private:
    std::size_t first_slot(ResourceId id, std::uint32_t step) const
    {
        return first_slot_[id] + std::size_t{step} * capacity_[id];
    }
    void replace(ResourceId id, std::uint32_t step, MessageId from, MessageId to);
    void price(ResourceId id, std::uint32_t step);

    std::vector<std::uint32_t> capacity_;
    std::span<const Price> price_of_;
    std::uint32_t steps_;
    std::size_t words_;
    std::size_t row_;                 // steps, filled up
    std::vector<std::uint64_t> full_; // by resource and word
    std::vector<std::size_t> first_slot_;
    std::vector<MessageId> holders_; // by resource, step and unit of capacity
    std::vector<Price> prices_;      // by resource and step
    std::vector<Tag> tags_;
};

} // namespace nocturne
