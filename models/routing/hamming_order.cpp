#include "models/routing/hamming_order.hpp"

#include "models/routing/destination_tables.hpp"
#include "models/routing/distances.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace nocturne {

namespace {

/// How many coordinates differ, the last of them first.
unsigned differing(RouterId a, RouterId b, const std::vector<unsigned>& extents)
{
    unsigned count = 0;
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
        count += a % *extent != b % *extent;
        a /= *extent;
        b /= *extent;
    }
    return count;
}

/// As the neighbours of router 0 have them: s, 2s, ..., (k-1)s for a dimension of k places that are s apart.
std::optional<std::vector<unsigned>> extents_at_origin(const Topology& topology)
{
    std::set<RouterId> neighbours;
    for (const ChannelId id : topology.channels_from(0))
        neighbours.insert(topology.channel(id).target);
    std::vector<unsigned> extents;
    std::size_t stride = 1, found = 0;
    while (stride < topology.router_count()) {
        unsigned extent = 1;
        while (neighbours.count(static_cast<RouterId>(stride * extent)) != 0)
            ++extent;
        if (extent == 1 || topology.router_count() % (stride * extent) != 0)
            return std::nullopt;
        found += extent - 1;
        extents.insert(extents.begin(), extent);
        stride *= extent;
    }
    if (found != neighbours.size())
        return std::nullopt;
    return extents;
}

} // namespace

std::optional<std::vector<unsigned>> hamming_extents(const Topology& topology)
{
    if (topology.router_count() < 2)
        return std::nullopt;
    const auto extents = extents_at_origin(topology);
    if (!extents)
        return std::nullopt;
    std::size_t degree = 0;
    for (const unsigned extent : *extents)
        degree += extent - 1;
    std::vector<RouterId> targets;
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        targets.clear();
        for (const ChannelId channel : topology.channels_from(id)) {
            targets.push_back(topology.channel(channel).target);
            if (differing(id, targets.back(), *extents) != 1)
                return std::nullopt;
        }
        std::sort(targets.begin(), targets.end());
        if (std::unique(targets.begin(), targets.end()) !=
            targets.begin() + static_cast<std::ptrdiff_t>(degree))
            return std::nullopt;
    }
    return extents;
}

Routing hamming_order(const Topology& topology, std::vector<unsigned> extents)
{
    // For each router the channels in the order of their targets: those to one target are a range.
    using Out = std::vector<std::pair<RouterId, ChannelId>>;
    auto channels = std::make_shared<std::vector<Out>>(topology.router_count());
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        for (const ChannelId channel : topology.channels_from(id))
            (*channels)[id].emplace_back(topology.channel(channel).target, channel);
        std::sort((*channels)[id].begin(), (*channels)[id].end());
    }
    return {"dor", 1,
            ObliviousRoutes{[&topology, channels, extents = std::move(extents)](ProcessorId source,
                                                                                ProcessorId destination) {
                auto [at, end] = endpoints(topology, source, destination);
                Route route;
                Spread spread(source, destination);
                RouterId stride = 1;
                for (auto extent = extents.rbegin(); extent != extents.rend(); stride *= *extent, ++extent) {
                    const RouterId from = at / stride % *extent, to = end / stride % *extent;
                    if (from == to)
                        continue;
                    const Out& out = (*channels)[at];
                    at = at - from * stride + to * stride;
                    const auto [first, last] =
                        std::equal_range(out.begin(), out.end(), std::pair(at, ChannelId{0}),
                                         [](const auto& a, const auto& b) { return a.first < b.first; });
                    const auto which = spread.pick(static_cast<std::size_t>(last - first));
                    route.push_back({first[static_cast<std::ptrdiff_t>(which)].second});
                }
                return route;
            }},
            PathCost::hops()};
}

} // namespace nocturne
