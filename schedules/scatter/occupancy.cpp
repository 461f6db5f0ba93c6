#include "schedules/scatter/occupancy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

namespace nocturne::packing {
namespace {

constexpr std::uint32_t block_steps = 64;
/// Options with more rows count items one by one instead of comparing all pairs of rows.
constexpr std::size_t most_rows_compared = 16;

/// A few numbers that are compared and added at once; a comparison gives all ones where it holds, zeros
/// elsewhere.
using Lanes = std::int32_t __attribute__((vector_size(16)));

template <class Number>
Lanes load(const Number* numbers)
{
    Lanes lanes;
    std::memcpy(&lanes, numbers, sizeof lanes);
    return lanes;
}

/// Calls `visit(resource, units)` for every resource of an option, given that equal ones are side by side.
template <class Visit>
void for_each_resource(std::span<const Resource> resources, const Visit& visit)
{
    for (std::size_t i = 0; i < resources.size();) {
        std::size_t end = i;
        while (end < resources.size() && resources[end] == resources[i])
            ++end;
        visit(resources[i], static_cast<std::uint32_t>(end - i));
        i = end;
    }
}

} // namespace

Occupancy::Occupancy(const Packing& packing, std::uint32_t steps)
    : packing_(&packing), steps_(steps), blocks_((steps + block_steps - 1) / block_steps),
      place_(packing.item_count(), Placement{0, nowhere}), weight_(packing.item_count(), 1),
      owners_(packing.capacities(), steps), prices_(block_steps), counted_(packing.item_count())
{
    compile_rows();
    room_.assign(rows_.size() * blocks_, ~std::uint64_t{0});
    price_.resize(rows_.size() * blocks_ * block_steps);
    sole_.resize(price_.size());
}

void Occupancy::compile_rows()
{
    std::set<std::pair<Resource, std::uint32_t>> pairs;
    for (Option option = 0; option < packing_->option_count(); ++option)
        for_each_resource(packing_->resources(option),
                          [&](Resource resource, std::uint32_t units) { pairs.emplace(resource, units); });
    first_row_of_resource_.assign(packing_->resource_count() + 1, 0);
    for (const auto& [resource, units] : pairs) {
        rows_.push_back({resource, units});
        ++first_row_of_resource_[resource + 1];
    }
    for (Resource resource = 0; resource < packing_->resource_count(); ++resource)
        first_row_of_resource_[resource + 1] += first_row_of_resource_[resource];

    first_row_.assign(1, 0);
    for (Option option = 0; option < packing_->option_count(); ++option) {
        for_each_resource(packing_->resources(option), [&](Resource resource, std::uint32_t units) {
            Row row = first_row_of_resource_[resource];
            while (rows_[row].units != units)
                ++row;
            rows_of_options_.push_back(row);
        });
        first_row_.push_back(static_cast<std::uint32_t>(rows_of_options_.size()));
    }
}

/// The rows of a resource after its owners in a step have changed.
void Occupancy::refresh(Resource resource, std::uint32_t step)
{
    const auto owners = owners_.holders(resource, step);
    const auto in_use = static_cast<std::uint32_t>(owners.size());
    const std::uint32_t capacity = owners_.capacity(resource);
    for (Row row = first_row_of_resource_[resource]; row != first_row_of_resource_[resource + 1]; ++row) {
        std::uint64_t& room = room_[std::size_t{row} * blocks_ + step / block_steps];
        const std::uint64_t bit = std::uint64_t{1} << (step % block_steps);
        const std::uint32_t wanted = in_use + rows_[row].units;
        room = wanted <= capacity ? room | bit : room & ~bit;
        Weight price = 0;
        std::uint32_t items = 0;
        for (std::uint32_t slot = 0; slot + capacity < wanted; ++slot)
            if (slot == 0 || owners[slot] != owners[slot - 1]) {
                price += weight_[owners[slot]];
                ++items;
            }
        const std::size_t position = std::size_t{row} * blocks_ * block_steps + step;
        price_[position] = price;
        sole_[position] = items == 1 ? owners[0] : ~row;
    }
}

void Occupancy::put(Item item, Placement place)
{
    for (const Row row : rows(place.option)) {
        const auto [resource, units] = rows_[row];
        const auto owners = owners_.holders(resource, place.step);
        auto position = static_cast<std::uint32_t>(owners.size());
        while (position > 0 && weight_[owners[position - 1]] > weight_[item])
            --position;
        owners_.insert(resource, place.step, position, item, units);
        refresh(resource, place.step);
    }
    place_[item] = place;
}

void Occupancy::remove(Item item)
{
    const Placement place = place_[item];
    for (const Row row : rows(place.option)) {
        const Resource resource = rows_[row].resource;
        owners_.remove(resource, place.step, item);
        refresh(resource, place.step);
    }
    place_[item].option = nowhere;
}

void Occupancy::clear(Placement place, std::vector<Item>& removed)
{
    for (const Row row : rows(place.option)) {
        const auto [resource, units] = rows_[row];
        while (owners_.holders(resource, place.step).size() + units > owners_.capacity(resource)) {
            const Item owner = owners_.holders(resource, place.step).front();
            remove(owner);
            removed.push_back(owner);
        }
    }
}

void Occupancy::bump_weight(Item item)
{
    if (++weight_[item] < heaviest)
        return;
    for (Weight& weight : weight_)
        weight = (weight + 1) / 2;
    for (Resource resource = 0; resource < packing_->resource_count(); ++resource)
        for (std::uint32_t step = 0; step < steps_; ++step)
            refresh(resource, step);
}

std::span<const Occupancy::Weight> Occupancy::prices(Option option, std::uint32_t block)
{
    const auto used_rows = rows(option);
    const std::uint32_t count = std::min(block_steps, steps_ - block_steps * block);
    if (++calls_ == 0) // after 2^32 calls the marks of long ago would look new
        std::fill(counted_.begin(), counted_.end(), calls_++);
    // Whole chunks: a block is filled up with zeros.
    for (std::size_t first = 0; first < count; first += chunk) {
        std::fill_n(prices_.begin() + first, chunk, 0);
        if (used_rows.size() <= most_rows_compared)
            compare_rows(used_rows, block, first);
        else
            count_items(used_rows, block, first);
    }
    return std::span(prices_).first(count);
}

/// A row counts where no row before it has the same item to go.
void Occupancy::compare_rows(std::span<const Row> rows, std::uint32_t block, std::size_t first)
{
    const std::size_t start = std::size_t{block} * block_steps + first;
    const std::size_t row_length = std::size_t{blocks_} * block_steps;
    std::array<Lanes, most_rows_compared> sole;
    Lanes sum{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        sole[i] = load(&sole_[rows[i] * row_length + start]);
        Lanes repeats{};
        for (std::size_t j = 0; j < i; ++j)
            repeats |= sole[i] == sole[j];
        sum += load(&price_[rows[i] * row_length + start]) & ~repeats;
    }
    std::memcpy(&prices_[first], &sum, sizeof sum);
}

/// An item has one place, so that a mark shows whether the option has met it before, whatever the step.
void Occupancy::count_items(std::span<const Row> rows, std::uint32_t block, std::size_t first)
{
    const std::size_t start = std::size_t{block} * block_steps + first;
    const std::size_t row_length = std::size_t{blocks_} * block_steps;
    for (const Row row : rows)
        for (std::size_t step = 0; step < chunk; ++step) {
            const Item item = sole_[row * row_length + start + step];
            const Weight price = price_[row * row_length + start + step];
            if (price == 0)
                continue;
            if (item < counted_.size() && std::exchange(counted_[item], calls_) == calls_)
                continue;
            prices_[first + step] += price;
        }
}

} // namespace nocturne::packing
