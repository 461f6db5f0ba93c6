#include "schedules/scatter/occupancy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

namespace nocturne {
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
        visit(resources[i], static_cast<std::uint16_t>(end - i));
        i = end;
    }
}

} // namespace

Occupancy::Occupancy(const Packing& packing, std::uint32_t steps)
    : packing_(&packing), steps_(steps), blocks_((steps + block_steps - 1) / block_steps),
      place_(packing.item_count(), Placement{0, nowhere}), weight_(packing.item_count(), 1),
      used_(packing.resource_count() * steps), prices_(block_steps), counted_(packing.item_count())
{
    compile_rows();
    first_slot_.assign(1, 0);
    for (Resource resource = 0; resource < packing.resource_count(); ++resource)
        first_slot_.push_back(first_slot_.back() + packing.capacity(resource));
    owners_.resize(first_slot_.back() * steps);
    room_.assign(rows_.size() * blocks_, ~std::uint64_t{0});
    price_.resize(rows_.size() * blocks_ * block_steps);
    sole_.resize(price_.size());
}

void Occupancy::compile_rows()
{
    std::set<std::pair<Resource, std::uint16_t>> pairs;
    for (Option option = 0; option < packing_->option_count(); ++option)
        for_each_resource(packing_->resources(option),
                          [&](Resource resource, std::uint16_t units) { pairs.emplace(resource, units); });
    first_row_of_resource_.assign(packing_->resource_count() + 1, 0);
    for (const auto& [resource, units] : pairs) {
        rows_.push_back({resource, units});
        ++first_row_of_resource_[resource + 1];
    }
    for (Resource resource = 0; resource < packing_->resource_count(); ++resource)
        first_row_of_resource_[resource + 1] += first_row_of_resource_[resource];

    first_row_.assign(1, 0);
    for (Option option = 0; option < packing_->option_count(); ++option) {
        for_each_resource(packing_->resources(option), [&](Resource resource, std::uint16_t units) {
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
    const std::uint32_t in_use = used(resource, step);
    const std::uint32_t capacity = packing_->capacity(resource);
    const auto owners = slots(resource, step);
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
        const auto owners = slots(resource, place.step);
        std::uint16_t& count = used(resource, place.step);
        std::uint32_t slot = count;
        for (; slot > 0 && weight_[owners[slot - 1]] > weight_[item]; --slot)
            owners[slot + units - 1] = owners[slot - 1];
        std::fill_n(owners.begin() + slot, units, item);
        count = static_cast<std::uint16_t>(count + units);
        refresh(resource, place.step);
    }
    place_[item] = place;
}

void Occupancy::remove(Item item)
{
    const Placement place = place_[item];
    for (const Row row : rows(place.option)) {
        const auto [resource, units] = rows_[row];
        std::uint16_t& count = used(resource, place.step);
        const auto owners = slots(resource, place.step).first(count);
        const auto own = std::find(owners.begin(), owners.end(), item);
        std::copy(own + units, owners.end(), own);
        count = static_cast<std::uint16_t>(count - units);
        refresh(resource, place.step);
    }
    place_[item].option = nowhere;
}

void Occupancy::clear(Placement place, std::vector<Item>& removed)
{
    for (const Row row : rows(place.option)) {
        const auto [resource, units] = rows_[row];
        while (used(resource, place.step) + units > packing_->capacity(resource)) {
            const Item owner = slots(resource, place.step).front();
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

} // namespace nocturne
