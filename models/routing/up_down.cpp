#include "models/routing/destination_tables.hpp"
#include "models/routing/distances.hpp"
#include "models/routing/least_costs.hpp"
#include "models/routing/minimal_paths.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"

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
    /// Up is towards lower ranks.
    UpDown(const Topology& topology, std::vector<std::uint32_t> rank, const PathCost& cost)
        : topology_(&topology), rank_(std::move(rank)), cost_(cost),
          tables_(topology.router_count(), [this](RouterId destination) { return distances(destination); })
    {
    }
    UpDown(const UpDown&) = delete; // tables_ refers to this object

    /// `pick(n)` chooses one of n equally good ways on.
    template <typename Pick>
    Route route(ProcessorId source, ProcessorId destination, Pick pick);
    bool reaches(ProcessorId source, ProcessorId destination);
    /// Two hops that can follow each other on a route to the router, whatever is picked; each such pair once
    /// or more.
    void visit_turns(RouterId destination, const VisitFragment& visit);

private:
    using Channels = boost::container::small_vector<ChannelId, 16>;

    /// All ways on that are as short as any.
    void find_nearer(const DestinationTables::Table& left, RouterId at, bool gone_down,
                     Channels& nearer) const;

    bool leads_up(ChannelId id) const
    {
        return rank_[topology_->channel(id).target] < rank_[topology_->channel(id).source];
    }
    /// Where what is left of the way is in a table: routers that may go up come first.
    std::size_t state(RouterId id, bool gone_down) const { return id + (gone_down ? rank_.size() : 0); }
    DestinationTables::Table distances(RouterId destination) const;

    const Topology* topology_;
    std::vector<std::uint32_t> rank_;
    PathCost cost_;
    DestinationTables tables_;
};

bool UpDown::reaches(ProcessorId source, ProcessorId destination)
{
    const auto [at, end] = endpoints(*topology_, source, destination);
    return tables_.of(end)[state(at, false)] != unreachable;
}

void UpDown::visit_turns(RouterId destination, const VisitFragment& visit)
{
    const DestinationTables::Table& hops = tables_.of(destination);
    std::vector<Channels> arrivals(2 * rank_.size()); // by state: channels by which messages come to it
    std::vector<bool> is_reached(2 * rank_.size());
    std::vector<std::size_t> order;
    const auto reach = [&](std::size_t state) {
        if (!is_reached[state] && hops[state] != unreachable)
            order.push_back(state);
        is_reached[state] = true;
    };
    for (const Processor& processor : topology_->processors())
        reach(state(processor.injection, false));
    const auto for_each_way_on = [&](std::size_t from, auto take) {
        if (hops[from] == 0)
            return;
        Channels nearer;
        find_nearer(hops, static_cast<RouterId>(from % rank_.size()), from >= rank_.size(), nearer);
        for (const ChannelId next : nearer)
            take(next, state(topology_->channel(next).target, !leads_up(next)));
    };
    for (std::size_t i = 0; i < order.size(); ++i)
        for_each_way_on(order[i], [&](ChannelId, std::size_t to) { reach(to); });
    // Farthest first: all ways to a state are known before it is its turn.
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(hops[b], a) < std::pair(hops[a], b); });
    for (const std::size_t from : order)
        for_each_way_on(from, [&](ChannelId next, std::size_t to) {
            arrivals[to].push_back(next);
            for (const ChannelId before : arrivals[from])
                visit({{before}, {next}});
        });
}

/// Backwards over the states.
DestinationTables::Table UpDown::distances(RouterId destination) const
{
    const std::size_t ends[] = {state(destination, false), state(destination, true)};
    return least_costs(*topology_, cost_, 2 * rank_.size(), ends, [&](std::size_t at, auto take) {
        const bool gone_down = at >= rank_.size();
        for (const ChannelId id : topology_->channels_to(static_cast<RouterId>(at % rank_.size()))) {
            // An up hop keeps the right to go up; a down hop ends in a router that has gone down.
            if (leads_up(id) == gone_down)
                continue;
            take(state(topology_->channel(id).source, false), id);
            if (gone_down)
                take(state(topology_->channel(id).source, true), id);
        }
    });
}

void UpDown::find_nearer(const DestinationTables::Table& left, RouterId at, bool gone_down,
                         Channels& nearer) const
{
    nearer.clear();
    const std::uint32_t here = left[state(at, gone_down)];
    for (const ChannelId id : topology_->channels_from(at)) {
        const bool up = leads_up(id);
        if (up && gone_down)
            continue;
        const std::uint32_t there = left[state(topology_->channel(id).target, !up)];
        if (there < here && here - there == cost_.of(topology_->channel(id)))
            nearer.push_back(id);
    }
}

template <typename Pick>
Route UpDown::route(ProcessorId source, ProcessorId destination, Pick pick)
{
    auto [at, end] = endpoints(*topology_, source, destination);
    const DestinationTables::Table& hops = tables_.of(end);
    if (hops[state(at, false)] == unreachable)
        throw std::invalid_argument(fmt::format("{}: no up*/down* path from processor {} to processor {}",
                                                topology_->name(), topology_->processor(source).name,
                                                topology_->processor(destination).name));
    Route result;
    bool gone_down = false;
    Channels nearer;
    while (at != end) {
        find_nearer(hops, at, gone_down, nearer);
        result.push_back({nearer[pick(nearer.size())]});
        gone_down = !leads_up(result.back().channel);
        at = topology_->channel(result.back().channel).target;
    }
    return result;
}

/// By router, the roots first: what is farther from the processors is above.
std::vector<std::uint32_t> level_order(const Topology& topology)
{
    const auto refuse = [&](const std::string& what) {
        throw std::invalid_argument(fmt::format("{}: {}: no levels for nca routing", topology.name(), what));
    };
    std::vector<std::uint32_t> level(topology.router_count(), unreachable);
    std::vector<RouterId> queue;
    for (const Processor& processor : topology.processors()) {
        if (processor.injection != processor.ejection)
            refuse(fmt::format("processor {} is not ejected where it is injected", processor.name));
        if (level[processor.ejection] == unreachable)
            queue.push_back(processor.ejection);
        level[processor.ejection] = 0;
    }
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (const ChannelId id : topology.channels_from(queue[head]))
            if (const RouterId next = topology.channel(id).target; level[next] == unreachable) {
                level[next] = level[queue[head]] + 1;
                queue.push_back(next);
            }
    const std::uint32_t top = queue.empty() ? 0 : level[queue.back()];
    std::vector<std::uint32_t> rank;
    for (const std::uint32_t each : level)
        rank.push_back(each == unreachable ? 0 : top - each);
    for (const Channel& channel : topology.channels()) {
        const std::string name =
            fmt::format("{}->{}", topology.router_name(channel.source), topology.router_name(channel.target));
        if (rank[channel.source] == rank[channel.target])
            refuse(fmt::format("{} joins routers of one level", name));
        const auto back = topology.channels_from(channel.target);
        if (std::none_of(back.begin(), back.end(),
                         [&](ChannelId id) { return topology.channel(id).target == channel.source; }))
            refuse(fmt::format("{} leads one way only", name));
    }
    return rank;
}

} // namespace

Routing up_down(const Topology& topology, const PathCost& cost)
{
    if (topology.router_count() == 0)
        throw std::invalid_argument(
            fmt::format("{}: no router to be the root of up*/down* routing", topology.name()));
    require_room_for_tables(topology, "updown");
    const auto shared = std::make_shared<UpDown>(topology, spanning_order(topology), cost_on(topology, cost));
    const auto route = [shared](ProcessorId source, ProcessorId destination) {
        return shared->route(source, destination,
                             [spread = Spread(source, destination)](std::size_t choices) mutable {
                                 return spread.pick(choices);
                             });
    };
    return {cost.is_hops() ? "updown_hops" : "updown", 1, ObliviousRoutes{route}, cost};
}

Routing nearest_common_ancestor(const Topology& topology, std::uint64_t seed)
{
    require_room_for_tables(topology, "nca");
    const auto shared = std::make_shared<UpDown>(topology, level_order(topology), PathCost::hops());
    ObliviousRoutes routes;
    routes.in_order = false;
    routes.route = [shared, random = std::make_shared<SplitMix64>(seed)](ProcessorId source,
                                                                         ProcessorId destination) {
        return shared->route(source, destination, [&](std::size_t choices) {
            return choices == 1 ? 0 : random->below(static_cast<std::uint32_t>(choices));
        });
    };
    routes.fragments = [&topology, shared](const VisitFragment& visit) {
        for (const RouterId destination : ejection_routers(topology))
            shared->visit_turns(destination, visit);
    };
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            if (!shared->reaches(source, destination))
                throw std::invalid_argument(fmt::format("{}: processors {} and {} have no common ancestor",
                                                        topology.name(), topology.processor(source).name,
                                                        topology.processor(destination).name));
    return {"nca", 1, std::move(routes)};
}

} // namespace nocturne
