#include "models/measures/moore_bound.hpp"

#include "models/measures/latency.hpp"

#include <algorithm>

namespace nocturne::measures {

LatencyBound moore_bound(std::uint64_t nodes, std::uint64_t degree, LinkKind kind)
{
    if (nodes < 2)
        return {};
    const std::uint64_t branching = kind == LinkKind::one_way || degree == 0 ? degree : degree - 1;
    std::uint64_t left = nodes - 1;
    std::uint64_t level = std::min(degree, left); // nodes that are `hops` away
    double sum = 0;
    double hops = 0;
    while (left > 0) {
        if (level == 0)
            return {infinite, infinite, infinite};
        ++hops;
        sum += hops * static_cast<double>(level);
        left -= level;
        level = branching > 0 && level > left / branching ? left : level * branching;
    }
    const auto count = static_cast<double>(nodes);
    return {sum / count, sum / (count - 1), hops};
}

} // namespace nocturne::measures
