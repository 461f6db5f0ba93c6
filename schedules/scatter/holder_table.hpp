// Who holds which resource in which step, for millions of messages.
#pragma once

#include "schedules/problem/resources.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Steps that are looked at together, a bit each.
inline constexpr std::size_t block_words = 2;
using StepBlock = std::uint64_t __attribute__((vector_size(8 * block_words)));

/// The steps in which resources have no room left, and the messages that hold them. Takes 4 bytes for a
/// resource, step and unit of capacity.
class HolderTable {
public:
    /// Nobody holds anything in the `steps` (1 or more) steps. A resource of capacity 0 must not be asked
    /// for.
    HolderTable(std::span<const std::uint32_t> capacity, std::uint32_t steps);

    std::uint32_t steps() const { return steps_; }
    std::size_t blocks() const { return blocks_; }

    /// The steps of a block that there are: all but in the last one.
    StepBlock inside(std::size_t block) const;
    /// The steps of a block in which the resource has no room; there is none behind the last step.
    StepBlock full(ResourceId id, std::size_t block) const { return full_[id * blocks_ + block]; }
    /// One place for each unit of capacity; no_message where it is free.
    std::span<const MessageId> holders(ResourceId id, std::uint32_t step) const
    {
        return std::span(holders_).subspan(first_slot(id, step), capacity_[id]);
    }

    /// There must be room.
    void take(ResourceId id, std::uint32_t step, MessageId message);
    /// The message must hold the resource.
    void release(ResourceId id, std::uint32_t step, MessageId message);

private:
    std::size_t first_slot(ResourceId id, std::uint32_t step) const
    {
        return first_slot_[id] + std::size_t{step} * capacity_[id];
    }
    void replace(ResourceId id, std::uint32_t step, MessageId from, MessageId to);

    std::vector<std::uint32_t> capacity_;
    std::uint32_t steps_;
    std::size_t blocks_;
    std::vector<StepBlock> full_; // by resource and block
    std::vector<std::size_t> first_slot_;
    std::vector<MessageId> holders_; // by resource, step and unit of capacity
};

} // namespace nocturne
