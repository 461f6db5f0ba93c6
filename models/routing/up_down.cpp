#include "models/routing/up_down.hpp"

#include "models/routing/destination_tables.hpp"
#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>

namespace nocturne {

namespace {

std::size_t degree(const Topology& topology, RouterId id)
{
    return topology.channels_from(id).size() + topology.channels_to(id).size();
}

/// Landmarks instead of all routers: exact centres of trees, meshes and tori, in linear time.
RouterId central_router(const Topology& topology)
{
    constexpr int landmarks = 8;
    const auto routers = static_cast<RouterId>(topology.router_count());
    std::vector<std::uint32_t> nearest(routers, unreachable); // to a landmark so far
    std::vector<std::uint32_t> farthest(routers, 0);
    RouterId landmark = 0;
    for (int i = 0; i < landmarks; ++i) {
        const std::vector<std::uint32_t> distance = distances_to(topology, landmark);
        for (RouterId id = 0; id < routers; ++id) {
            nearest[id] = std::min(nearest[id], distance[id]);
            farthest[id] = std::max(farthest[id], distance[id]);
        }
        landmark = static_cast<RouterId>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    }
    RouterId best = 0;
    for (RouterId id = 1; id < routers; ++id)
        if (std::tuple(farthest[id], degree(topology, best)) <
            std::tuple(farthest[best], degree(topology, id)))
            best = id;
    return best;
}

/// rank[r] of each router in a breadth-first order that takes channels both ways; parts of the network that
/// the root does not reach come after it, each from its lowest index.
std::vector<std::uint32_t> spanning_order(const Topology& topology)
{
    std::vector<std::uint32_t> depth(topology.router_count(), unreachable);
    std::vector<RouterId> queue;
    const auto visit = [&](RouterId id, std::uint32_t at_depth) {
        if (depth[id] != unreachable)
            return;
        depth[id] = at_depth;
        queue.push_back(id);
    };
    std::size_t head = 0;
    const auto grow_from = [&](RouterId root) {
        visit(root, 0);
        for (; head < queue.size(); ++head) {
            for (const ChannelId id : topology.channels_from(queue[head]))
                visit(topology.channel(id).target, depth[queue[head]] + 1);
            for (const ChannelId id : topology.channels_to(queue[head]))
                visit(topology.channel(id).source, depth[queue[head]] + 1);
        }
    };
    grow_from(central_router(topology));
    for (RouterId id = 0; id < topology.router_count(); ++id)
        grow_from(id);

    std::vector<std::uint32_t> rank(topology.router_count());
    std::sort(queue.begin(), queue.end(),
              [&](RouterId a, RouterId b) { return std::tuple(depth[a], a) < std::tuple(depth[b], b); });
    for (std::uint32_t i = 0; i < queue.size(); ++i)
        rank[queue[i]] = i;
    return rank;
}

/// The legal way on. A route is in one of two states at a router: it may still go up, or it has gone down.
class UpDown {
public:
    explicit UpDown(const Topology& topology)
        : topology_(&topology), rank_(spanning_order(topology)),
          tables_(topology.router_count(), [this](RouterId destination) { return distances(destination); })
    {
    }
    UpDown(const UpDown&) = delete; // tables_ refers to this object

    Route route(ProcessorId source, ProcessorId destination);

private:
    bool leads_up(ChannelId id) const
    {
        return rank_[topology_->channel(id).target] < rank_[topology_->channel(id).source];
    }
    /// Where the hops left are in a table: routers that may go up come first.
    std::size_t state(RouterId id, bool gone_down) const { return id + (gone_down ? rank_.size() : 0); }
    DestinationTables::Table distances(RouterId destination) const;

    const Topology* topology_;
    std::vector<std::uint32_t> rank_;
    DestinationTables tables_;
};

/// Breadth-first search backwards over the states.
DestinationTables::Table UpDown::distances(RouterId destination) const
{
    DestinationTables::Table hops(2 * rank_.size(), unreachable);
    std::vector<std::size_t> queue;
    const auto visit = [&](std::size_t state, std::uint32_t distance) {
        if (hops[state] != unreachable)
            return;
        hops[state] = distance;
        queue.push_back(state);
    };
    visit(state(destination, false), 0);
    visit(state(destination, true), 0);
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::size_t at = queue[head];
        const bool gone_down = at >= rank_.size();
        const auto router = static_cast<RouterId>(at % rank_.size());
        for (const ChannelId id : topology_->channels_to(router)) {
            // An up hop keeps the right to go up; a down hop ends in a router that has gone down.
            if (leads_up(id) == gone_down)
                continue;
            visit(state(topology_->channel(id).source, false), hops[at] + 1);
            if (gone_down)
                visit(state(topology_->channel(id).source, true), hops[at] + 1);
        }
    }
    return hops;
}

Route UpDown::route(ProcessorId source, ProcessorId destination)
{
    auto [at, end] = endpoints(*topology_, source, destination);
    const DestinationTables::Table& hops = tables_.of(end);
    if (hops[state(at, false)] == unreachable)
        throw std::invalid_argument(fmt::format("{}: no up*/down* path from processor {} to processor {}",
                                                topology_->name(), topology_->processor(source).name,
                                                topology_->processor(destination).name));
    Route result;
    Spread spread(source, destination);
    bool gone_down = false;
    boost::container::small_vector<ChannelId, 16> nearer;
    while (at != end) {
        nearer.clear();
        const std::uint32_t hops_left = hops[state(at, gone_down)];
        for (const ChannelId id : topology_->channels_from(at)) {
            const bool up = leads_up(id);
            if (!(up && gone_down) && hops[state(topology_->channel(id).target, !up)] == hops_left - 1)
                nearer.push_back(id);
        }
        result.push_back({nearer[spread.pick(nearer.size())]});
        gone_down = !leads_up(result.back().channel);
        at = topology_->channel(result.back().channel).target;
    }
    return result;
}

} // namespace

Routing up_down(const Topology& topology)
{
    if (topology.router_count() == 0)
        throw std::invalid_argument(
            fmt::format("{}: no router to be the root of up*/down* routing", topology.name()));
    const auto shared = std::make_shared<UpDown>(topology);
    return {"updown", 1, [shared](ProcessorId source, ProcessorId destination) {
                return shared->route(source, destination);
            }};
}

} // namespace nocturne
