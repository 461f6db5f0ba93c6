#include "schedules/optimize/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

Packing::Packing(std::vector<std::uint16_t> capacity) : capacity_(std::move(capacity))
{
    if (capacity_.empty() || std::find(capacity_.begin(), capacity_.end(), 0) != capacity_.end())
        throw std::invalid_argument("packing: every resource needs a capacity of 1 or more");
}

Item Packing::add_item()
{
    first_option_.push_back(first_option_.back());
    return static_cast<Item>(item_count() - 1);
}

} // namespace nocturne
