// Indices: in an order, or of some kind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace nocturne {

/// 0 to count - 1 by ascending `key(index)`, or as `before` compares keys; equal ones in their order.
template <class Index = std::uint32_t, class Key, class Before = std::ranges::less>
std::vector<Index> indices_by(std::size_t count, const Key& key, const Before& before = {})
{
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, before, key);
    return order;
}

/// Those of 0 to count - 1 of which `is_one(index)` is true, ascending.
template <class Index = std::uint32_t, class IsOne>
std::vector<Index> indices_where(std::size_t count, const IsOne& is_one)
{
    std::vector<Index> found;
    for (Index index = 0; index < count; ++index)
        if (is_one(index))
            found.push_back(index);
    return found;
}

} // namespace nocturne
