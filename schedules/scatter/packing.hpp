// Packing items into steps without conflicts: the search that scatters, orbits and constructions share.
#pragma once

#include "schedules/problem/resources.hpp"
#include "schedules/search/engine.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne::packing {

using Item = std::uint32_t;
using Option = std::uint32_t; ///< index over the options of all items
using Resource =
    std::uint32_t; ///< a channel, a send port, a receive port (see Resources), or an orbit of them

/// Items, each to be put into one step by one of its options; an option uses resources of its step. No
/// resource of a step may be used more often than its capacity. An item is a message and an option a path, or
/// an item is an orbit of messages and an option what the whole orbit holds in a base step.
class Packing {
public:
    /// Throws std::invalid_argument for no resources or a capacity of 0.
    explicit Packing(std::vector<std::uint32_t> capacity);

    Item add_item();
    /// An option of the item added last; a resource that it uses k times is listed k times. Throws
    /// std::invalid_argument for a resource that does not exist, or one used more often than its capacity.
    Option add_option(std::span<const Resource> resources);

    std::size_t item_count() const { return first_option_.size() - 1; }
    std::size_t option_count() const { return first_resource_.size() - 1; }
    std::size_t resource_count() const { return capacity_.size(); }
    std::uint32_t capacity(Resource resource) const { return capacity_[resource]; }
    const std::vector<std::uint32_t>& capacities() const { return capacity_; }
    /// The options of an item are consecutive: [first_option(i), first_option(i + 1)).
    Option first_option(Item item) const { return first_option_[item]; }
    std::span<const Resource> resources(Option option) const
    {
        return std::span(resources_)
            .subspan(first_resource_[option], first_resource_[option + 1] - first_resource_[option]);
    }

private:
    std::vector<std::uint32_t> capacity_;
    std::vector<Option> first_option_{0};
    std::vector<std::uint32_t> first_resource_{0};
    std::vector<Resource> resources_;
};

struct Placement {
    std::uint32_t step;
    Option option;

    friend bool operator==(const Placement&, const Placement&) = default;
};

struct PackingResult {
    std::vector<Placement> placements; ///< by item; empty unless all found a place
    std::uint64_t tried = 0;           ///< items placed, again and again
    std::uint64_t unplaced = 0;        ///< items left in the best attempt
};

/// An ejection pool (after Nagata and Bräysy, A powerful route minimization heuristic for the vehicle routing
/// problem with time windows, Operations Research Letters 37, 2009): see packing.cpp. Deterministic for a
/// seed and effort. Items with a place in `start` (by item; or empty) begin there if that is free by then.
PackingResult pack(const Packing& packing, std::uint32_t steps, const SearchControl& control,
                   std::span<const std::optional<Placement>> start = {});

} // namespace nocturne::packing
