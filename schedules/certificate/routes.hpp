// Paths that a schedule needs, one by one.
#pragma once

#include "models/routing/distances.hpp"
#include "models/topology/topology.hpp"
#include "schedules/certificate/allowance.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

using ChannelPath = std::vector<ChannelId>;

/// All paths from router to router that visit no router twice and have at most `hops` channels. A schedule
/// needs no others: what lies between two visits of a router can be cut out of a path.
class Routes {
public:
    /// Each look at a router is spent of `looks`: where a slack is large, listing takes longer than all else.
    Routes(const Topology& topology, RouterId destination, Allowance& looks)
        : topology_(topology), destination_(destination), looks_(looks),
          hops_to_go_(distances_to(topology, destination)), visited_(topology.router_count())
    {
    }

    std::uint32_t distance(RouterId from) const { return hops_to_go_[from]; }

    template <typename Use>
    void each(RouterId from, std::size_t hops, const Use& use)
    {
        looks_.spend(1);
        if (from == destination_) {
            use(route_);
            return;
        }
        visited_[from] = true;
        for (const ChannelId channel : topology_.channels_from(from)) {
            const RouterId to = topology_.channel(channel).target;
            if (visited_[to] || hops_to_go_[to] == unreachable || hops_to_go_[to] + 1 > hops)
                continue;
            route_.push_back(channel);
            each(to, hops - 1, use);
            route_.pop_back();
        }
        visited_[from] = false;
    }

private:
    const Topology& topology_;
    RouterId destination_;
    Allowance& looks_;
    std::vector<std::uint32_t> hops_to_go_;
    std::vector<bool> visited_;
    ChannelPath route_;
};

} // namespace nocturne
