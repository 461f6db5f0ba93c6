// Who holds which resource in which step: the state of a packing in progress, changed one item at a time.
#pragma once

#include "schedules/problem/step_table.hpp"
#include "schedules/scatter/packing.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne::packing {

/// The items of a packing that have a place. Three things are kept up to date for the searches on it:
/// - owners: the items that hold a resource in a step, the lightest first;
/// - room: for every resource and number of units that some option uses, a bit for each step in which so many
///   are free;
/// - price: for the same pairs, the weight of the items that would have to go to make room in the step.
/// Such a pair is called a row. The steps of a row lie side by side, so that the steps in which an option
/// fits, and what it costs elsewhere, come from a few words. Nothing is allocated after construction.
class Occupancy {
public:
    using Row = std::uint32_t;
    using Weight = std::int32_t; ///< of an item: 1 or more; prices are sums of weights
    static constexpr Weight heaviest = 1 << 18;

    /// The packing must outlive the occupancy.
    Occupancy(const Packing& packing, std::uint32_t steps);

    std::uint32_t steps() const { return steps_; }
    bool is_placed(Item item) const { return place_[item].option != nowhere; }
    const Placement& place(Item item) const { return place_[item]; }
    Weight weight(Item item) const { return weight_[item]; }

    /// The item, which has no place, gets one where there is room for it.
    void put(Item item, Placement place);
    void remove(Item item);
    /// Removes items, the lightest first, until there is room for `place`; they go to the end of `removed`.
    void clear(Placement place, std::vector<Item>& removed);
    /// One more for an item that has no place; all weights are halved when it gets too heavy.
    void bump_weight(Item item);

    /// Steps come in blocks of 64.
    std::uint32_t block_count() const { return blocks_; }
    /// The steps of a block in which the option fits, as bits.
    std::uint64_t free_steps(Option option, std::uint32_t block) const
    {
        std::uint64_t free = steps_of(block);
        for (const Row row : rows(option))
            free &= room_[std::size_t{row} * blocks_ + block];
        return free;
    }
    /// What making room for the option costs, by step of a block: the weight of the items that would have to
    /// go, each counted once (but those of a row in which several have to go are counted in each such row).
    std::span<const Weight> prices(Option option, std::uint32_t block);

private:
    static constexpr Option nowhere = ~0u;

    /// Steps that are priced together.
    static constexpr std::size_t chunk = 4;

    struct RowOf {
        Resource resource;
        std::uint32_t units;
    };

    std::span<const Row> rows(Option option) const
    {
        return std::span(rows_of_options_)
            .subspan(first_row_[option], first_row_[option + 1] - first_row_[option]);
    }
    std::uint64_t steps_of(std::uint32_t block) const
    {
        const std::uint32_t left = steps_ - 64 * block;
        return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    }
    void compile_rows();
    void refresh(Resource resource, std::uint32_t step);
    void compare_rows(std::span<const Row> rows, std::uint32_t block, std::size_t first);
    void count_items(std::span<const Row> rows, std::uint32_t block, std::size_t first);

    const Packing* packing_;
    std::uint32_t steps_;
    std::uint32_t blocks_;
    std::vector<Placement> place_; ///< by item
    std::vector<Weight> weight_;   ///< by item

    std::vector<RowOf> rows_; ///< those of a resource are consecutive, fewer units first
    std::vector<Row> first_row_of_resource_;
    std::vector<std::uint32_t> first_row_; ///< by option, into rows_of_options_
    std::vector<Row> rows_of_options_;

    StepTable owners_;                ///< of the resources, the lightest first
    std::vector<std::uint64_t> room_; ///< by row and block
    std::vector<Weight> price_;       ///< by row and step, blocks filled up
    std::vector<Item> sole_; ///< as price_: the one item that has to go; else a number that no other row has
    std::vector<Weight> prices_;         ///< what prices() returns
    std::vector<std::uint32_t> counted_; ///< by item: the last call of prices() that counted it
    std::uint32_t calls_ = 0;            ///< of prices()
};

} // namespace nocturne::packing
