#include "schedules/optimize/occupancy.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t block_steps = 64;

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
      used_(packing.resource_count() * steps), floors_(block_steps), counted_(packing.item_count())
{
    compile_rows();
    first_slot_.assign(1, 0);
    for (Resource resource = 0; resource < packing.resource_count(); ++resource)
        first_slot_.push_back(first_slot_.back() + packing.capacity(resource));
    owners_.resize(first_slot_.back() * steps);
    room_.assign(rows_.size() * blocks_, ~std::uint64_t{0});
    price_.resize(rows_.size() * blocks_ * block_steps);
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
        for (std::uint32_t slot = 0; slot + capacity < wanted; ++slot)
            if (slot == 0 || owners[slot] != owners[slot - 1])
                price += weight_[owners[slot]];
        price_[std::size_t{row} * blocks_ * block_steps + step] = price;
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

void Occupancy::make_heavier(Item item)
{
    if (++weight_[item] < heaviest)
        return;
    for (Weight& weight : weight_)
        weight = (weight + 1) / 2;
    for (Resource resource = 0; resource < packing_->resource_count(); ++resource)
        for (std::uint32_t step = 0; step < steps_; ++step)
            refresh(resource, step);
}

std::span<const Occupancy::Weight> Occupancy::price_floors(Option option, std::uint32_t block)
{
    const std::uint32_t count = std::min(block_steps, steps_ - block_steps * block);
    // Whole vectors: a block is filled up with zeros.
    const std::uint32_t whole = (count + 7) / 8 * 8;
    std::fill_n(floors_.begin(), whole, 0);
    for (const Row row : rows(option)) {
        const Weight* const prices = &price_[(std::size_t{row} * blocks_ + block) * block_steps];
        for (std::uint32_t step = 0; step < whole; ++step)
            floors_[step] = std::max(floors_[step], prices[step]);
    }
    return std::span(floors_).first(count);
}

Occupancy::Weight Occupancy::price(Placement place, Weight limit)
{
    if (++count_ == 0)
        std::fill(counted_.begin(), counted_.end(), count_++);
    Weight total = 0;
    for (const Row row : rows(place.option)) {
        const auto [resource, units] = rows_[row];
        const std::uint32_t wanted = used(resource, place.step) + units;
        const std::uint32_t capacity = packing_->capacity(resource);
        const auto owners = slots(resource, place.step);
        for (std::uint32_t slot = 0; slot + capacity < wanted; ++slot)
            if (counted_[owners[slot]] != count_) {
                counted_[owners[slot]] = count_;
                total += weight_[owners[slot]];
            }
        if (total > limit)
            break;
    }
    return total;
}

} // namespace nocturne
