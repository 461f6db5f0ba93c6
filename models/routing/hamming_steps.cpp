#include "models/routing/hamming_steps.hpp"

#include <algorithm>
#include <set>

namespace nocturne {

namespace {

unsigned differing_coordinates(RouterId a, RouterId b, const std::vector<unsigned>& extents)
{
    unsigned count = 0;
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
        count += a % *extent != b % *extent;
        a /= *extent;
        b /= *extent;
    }
    return count;
}

} // namespace

HammingSteps::HammingSteps(const Topology& topology)
    : extents_(topology.grid()->extent), strides_(extents_.size(), 1), from_(topology.router_count())
{
    for (std::size_t d = extents_.size() - 1; d > 0; --d)
        strides_[d - 1] = strides_[d] * extents_[d];
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        for (const ChannelId channel : topology.channels_from(id))
            from_[id].emplace_back(topology.channel(channel).target, channel);
        std::sort(from_[id].begin(), from_[id].end());
    }
}

std::span<const std::pair<RouterId, ChannelId>> HammingSteps::channels(RouterId from, std::size_t d,
                                                                       unsigned to) const
{
    const RouterId target = from - coordinate(from, d) * strides_[d] + to * strides_[d];
    const auto [first, last] =
        std::equal_range(from_[from].begin(), from_[from].end(), std::pair(target, ChannelId{0}),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    return {first, last};
}

bool is_hamming_graph(const Topology& topology)
{
    const auto& grid = topology.grid();
    if (!grid || grid->wraps || std::ranges::all_of(grid->extent, [](unsigned places) { return places < 3; }))
        return false;
    std::size_t degree = 0;
    for (const unsigned places : grid->extent)
        degree += places - 1;
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        std::set<RouterId> targets;
        for (const ChannelId channel : topology.channels_from(id))
            targets.insert(topology.channel(channel).target);
        if (targets.size() != degree || !std::ranges::all_of(targets, [&](RouterId target) {
                return differing_coordinates(id, target, grid->extent) == 1;
            }))
            return false;
    }
    return true;
}

} // namespace nocturne
