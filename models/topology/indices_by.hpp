// An order of indices.
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

} // namespace nocturne
