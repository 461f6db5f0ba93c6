// Who holds which resource in which step: what every search for schedules keeps up to date.
#pragma once

#include "schedules/problem/resources.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// For every resource and step the holders of its units, at most as many as its capacity. A holder is a
/// number that means something to the user: a message, a delivery, an item of a packing. Nothing is allocated
/// after construction; memory is 4 bytes for each unit, and 4 more for each resource, of each step.
class StepTable {
public:
    using Holder = std::uint32_t;

    /// `capacity` by resource: units a step.
    StepTable(std::span<const std::uint32_t> capacity, std::uint32_t steps);

    std::uint32_t steps() const { return steps_; }
    std::size_t resource_count() const { return resources_.size(); }
    std::uint32_t capacity(ResourceId resource) const { return resources_[resource].capacity; }

    /// In the order in which they were put there, unless insert() said otherwise.
    std::span<const Holder> holders(ResourceId resource, std::uint32_t step) const
    {
        return {holders_.data() + first_slot(resource, step), used_[cell(resource, step)]};
    }
    bool is_full(ResourceId resource, std::uint32_t step) const
    {
        return used_[cell(resource, step)] >= capacity(resource);
    }

    /// There must be room.
    void put(ResourceId resource, std::uint32_t step, Holder holder)
    {
        holders_[first_slot(resource, step) + used_[cell(resource, step)]++] = holder;
    }
    /// The same with so many units, side by side, before the holder at `position`.
    void insert(ResourceId resource, std::uint32_t step, std::uint32_t position, Holder holder,
                std::uint32_t units)
    {
        Holder* const at = holders_.data() + first_slot(resource, step) + position;
        std::uint32_t& used = used_[cell(resource, step)];
        for (std::uint32_t i = used - position; i > 0; --i)
            at[i - 1 + units] = at[i - 1];
        for (std::uint32_t i = 0; i < units; ++i)
            at[i] = holder;
        used += units;
    }
    /// Takes away all units of the holder, which lie side by side. The others keep their order.
    void remove(ResourceId resource, std::uint32_t step, Holder holder)
    {
        Holder* own = holders_.data() + first_slot(resource, step);
        std::uint32_t& used = used_[cell(resource, step)];
        const Holder* const end = own + used;
        while (*own != holder)
            ++own;
        const Holder* other = own;
        while (other != end && *other == holder)
            ++other;
        used -= static_cast<std::uint32_t>(other - own);
        while (other != end)
            *own++ = *other++;
    }
    /// Takes away one unit of the holder; the last holder takes its place.
    void swap_out(ResourceId resource, std::uint32_t step, Holder holder);

private:
    struct Row {
        std::size_t first; ///< units of the resources before this one
        std::uint32_t capacity;
    };

    std::size_t cell(ResourceId resource, std::uint32_t step) const
    {
        return std::size_t{resource} * steps_ + step;
    }
    std::size_t first_slot(ResourceId resource, std::uint32_t step) const
    {
        const Row& row = resources_[resource];
        return row.first * steps_ + std::size_t{step} * row.capacity;
    }

    std::uint32_t steps_;
    std::vector<Row> resources_;
    std::vector<Holder> holders_;     ///< by resource, step and unit; those in use first
    std::vector<std::uint32_t> used_; ///< units, by resource and step
};

} // namespace nocturne
