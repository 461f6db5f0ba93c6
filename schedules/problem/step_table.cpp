#include "schedules/problem/step_table.hpp"

#include <algorithm>

namespace nocturne {

StepTable::StepTable(std::span<const std::uint32_t> capacity, std::uint32_t steps)
    : steps_(steps), used_(capacity.size() * steps)
{
    std::size_t units = 0;
    for (const std::uint32_t of_resource : capacity) {
        resources_.push_back({units, of_resource});
        units += of_resource;
    }
    holders_.resize(units * steps);
}

void StepTable::insert(ResourceId resource, std::uint32_t step, std::uint32_t position, Holder holder,
                       std::uint32_t units)
{
    Holder* const first = holders_.data() + first_slot(resource, step);
    std::uint32_t& used = used_[cell(resource, step)];
    std::copy_backward(first + position, first + used, first + used + units);
    std::fill_n(first + position, units, holder);
    used += units;
}

void StepTable::remove(ResourceId resource, std::uint32_t step, Holder holder)
{
    Holder* const first = holders_.data() + first_slot(resource, step);
    std::uint32_t& used = used_[cell(resource, step)];
    Holder* const own = std::find(first, first + used, holder);
    Holder* const others = std::find_if(own, first + used, [=](Holder other) { return other != holder; });
    std::copy(others, first + used, own);
    used -= static_cast<std::uint32_t>(others - own);
}

void StepTable::swap_out(ResourceId resource, std::uint32_t step, Holder holder)
{
    Holder* const first = holders_.data() + first_slot(resource, step);
    std::uint32_t& used = used_[cell(resource, step)];
    *std::find(first, first + used, holder) = first[used - 1];
    --used;
}

} // namespace nocturne
