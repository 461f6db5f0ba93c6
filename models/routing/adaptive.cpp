#include "models/routing/adaptive.hpp"

#include "models/routing/destination_tables.hpp"
#include "models/routing/grid_steps.hpp"
#include "models/routing/routings.hpp"
#include "models/routing/turn_layer.hpp"
#include "models/routing/turns.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace nocturne {

namespace {

using Escape = std::vector<Hop>; ///< to one destination, by router

/// Makes the escape channels of networks that are no grids, destination by destination. Levels count from 0
/// at the last hop of a path upwards.
class EscapeTrees {
public:
    explicit EscapeTrees(const Topology& topology) : topology_(topology), turns_(topology) {}

    Escape make(const MinimalPaths& ways)
    {
        Escape escape(topology_.router_count());
        for (const RouterId at : ways.routers())
            if (at != ways.destination())
                escape[at] = best_hop(ways, escape, at);
        return escape;
    }

private:
    /// The channel on which the way to the destination has the fewest levels; of several the next one after
    /// one that a hash chooses, so that not all go the same way.
    Hop best_hop(const MinimalPaths& ways, const Escape& escape, RouterId at)
    {
        auto channels = ways.channels(at);
        const auto chosen = Spread(at, ways.destination()).pick(channels.size());
        std::rotate(channels.begin(), channels.begin() + static_cast<std::ptrdiff_t>(chosen), channels.end());
        const auto level_behind = [&](ChannelId id) {
            const RouterId next = topology_.channel(id).target;
            return next == ways.destination() ? 0 : escape[next].vc_class;
        };
        std::stable_sort(channels.begin(), channels.end(),
                         [&](ChannelId a, ChannelId b) { return level_behind(a) < level_behind(b); });
        const std::uint32_t lowest = level_behind(channels.front());
        for (const ChannelId id : channels) {
            const RouterId next = topology_.channel(id).target;
            if (level_behind(id) > lowest)
                break; // no better than one more than the lowest
            if (next == ways.destination() || takes(lowest, id, escape[next].channel))
                return {id, lowest};
        }
        return {channels.front(), lowest + 1};
    }

    bool takes(std::uint32_t level, ChannelId channel, ChannelId next)
    {
        while (layers_.size() <= level)
            layers_.emplace_back(topology_.channel_count(), turns_.count());
        return layers_[level].take(turns_.index(channel, next), channel, next);
    }

    const Topology& topology_;
    const Turns turns_;
    std::vector<TurnLayer> layers_; ///< by level
};

Escape follow(const MinimalPaths& ways, const NextHop& next_hop, std::size_t routers)
{
    Escape escape(routers);
    for (const RouterId at : ways.routers())
        if (at != ways.destination())
            escape[at] = next_hop(at, ways.destination());
    return escape;
}

} // namespace

void AdaptiveRouting::visit_allowed(RouterId destination, const VisitAllowed& visit) const
{
    const AllowedChannels allowed = function_.to(destination);
    std::vector<bool> is_reached(topology_->router_count() * arrivals());
    std::vector<std::pair<RouterId, unsigned>> reached;
    const auto reach = [&](RouterId at, unsigned arrival) {
        if (!is_reached[std::size_t{at} * arrivals() + arrival])
            reached.emplace_back(at, arrival);
        is_reached[std::size_t{at} * arrivals() + arrival] = true;
    };
    for (const Processor& processor : topology_->processors())
        reach(processor.injection, 0);
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const auto [at, arrival] = reached[i];
        const Channels channels = at == destination ? Channels() : allowed(at, arrival);
        visit(at, arrival, channels);
        for (const ChannelId channel : channels)
            reach(topology_->channel(channel).target, arrival_by(channel));
    }
}

/// Visits each pair of channels that messages can take one after the other, as often as there are
/// destinations and arrivals for which they do, until `visit(channel, next)` is false; was it never?
template <typename Visit>
bool AdaptiveRouting::all_turns(Visit visit) const
{
    for (const RouterId destination : ejection_routers(*topology_)) {
        const AllowedChannels allowed = function_.to(destination);
        bool goes_on = true;
        visit_allowed(destination, [&](RouterId, unsigned, const Channels& channels) {
            for (const ChannelId channel : channels) {
                const RouterId target = topology_->channel(channel).target;
                if (!goes_on || target == destination)
                    continue;
                for (const ChannelId next : allowed(target, arrival_by(channel)))
                    goes_on = goes_on && visit(channel, next);
            }
        });
        if (!goes_on)
            return false;
    }
    return true;
}

bool AdaptiveRouting::turns_have_cycle() const
{
    const Turns turns(*topology_);
    TurnLayer layer(topology_->channel_count(), turns.count());
    return !all_turns([&](ChannelId channel, ChannelId next) {
        return layer.take(turns.index(channel, next), channel, next);
    });
}

AdaptiveRouting::AdaptiveRouting(const Topology& topology, RoutingFunction function, std::uint64_t seed)
    : topology_(&topology), cost_(PathCost::hops()), seed_(seed), has_turn_rule_(true),
      function_(std::move(function))
{
}

AdaptiveRouting::AdaptiveRouting(const Topology& topology, const PathCost& cost, std::uint64_t seed)
    : topology_(&topology), cost_(cost_on(topology, cost)), seed_(seed), has_turn_rule_(false)
{
    function_.to = [&topology, path_cost = cost_](RouterId destination) -> AllowedChannels {
        return [ways = MinimalPaths(topology, destination, path_cost)](RouterId at, unsigned) {
            return ways.channels(at);
        };
    };
    if (!turns_have_cycle())
        return;
    // Dimension order is minimal in hops only.
    const NextHop next_hop =
        cost_.is_hops() && is_complete_grid(topology) ? dimension_order_hops(topology) : NextHop();
    EscapeTrees trees(topology);
    escape_.resize(topology.router_count());
    for (const RouterId destination : ejection_routers(topology)) {
        const MinimalPaths ways = paths_to(destination);
        escape_[destination] = next_hop ? follow(ways, next_hop, topology.router_count()) : trees.make(ways);
        for (Hop& hop : escape_[destination]) {
            ++hop.vc_class; // behind the adaptive class
            vc_classes_ = std::max(vc_classes_, hop.vc_class + 1);
        }
    }
}

void AdaptiveRouting::visit_fragments(const VisitFragment& visit) const
{
    if (!has_escape()) {
        all_turns([&](ChannelId channel, ChannelId next) {
            visit({{channel}, {next}});
            return true;
        });
        return;
    }
    for (const RouterId destination : ejection_routers(*topology_)) {
        const MinimalPaths ways = paths_to(destination);
        for (const RouterId at : ways.routers()) {
            if (at == destination)
                continue;
            const Hop& hop = escape(at, destination);
            const RouterId next = topology_->channel(hop.channel).target;
            if (next == destination)
                visit({hop});
            else
                visit({hop, escape(next, destination)});
        }
    }
}

Routing adaptive_routing(const Topology& topology, const PathCost& cost, std::uint64_t seed)
{
    require_room_for_tables(topology, "adaptive");
    const auto adaptive = std::make_shared<const AdaptiveRouting>(topology, cost, seed);
    // No escape class takes more than the virtual channel that it needs to be there.
    std::vector<double> loads(adaptive->vc_classes(), std::numeric_limits<double>::min());
    loads.front() = 1;
    return {cost.is_hops() ? "adaptive_hops" : "adaptive", VcClasses({std::move(loads)}), adaptive, cost};
}

} // namespace nocturne
