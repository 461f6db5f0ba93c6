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

void StepTable::swap_out(ResourceId resource, std::uint32_t step, Holder holder)
{
    Holder* const first = holders_.data() + first_slot(resource, step);
    std::uint32_t& used = used_[cell(resource, step)];
    *std::find(first, first + used, holder) = first[used - 1];
    --used;
}

} // namespace nocturne
