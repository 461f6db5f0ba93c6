#include "models/routing/shortest_path.hpp"

#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <utility>

namespace nocturne {

Routing shortest_path(const Topology& topology, const PathCost& minimal)
{
    return {
        minimal.is_hops() ? "shortest_hops" : "shortest", 1,
        ObliviousRoutes{
            [paths = std::make_shared<ShortestPaths>(topology, minimal, AllowedChannel(), "shortest")](
                ProcessorId source, ProcessorId destination) { return paths->route(source, destination); }},
        minimal};
}

ShortestPaths::ShortestPaths(const Topology& topology, const PathCost& cost, AllowedChannel allowed,
                             std::string_view routing)
    : topology_(&topology), cost_(cost_on(topology, cost)), allowed_(std::move(allowed)),
      tables_(topology.router_count(), [&topology, cost = cost_, allowed = allowed_](RouterId destination) {
          if (!allowed)
              return distances_to(topology, destination, cost);
          return distances_to(topology, destination, cost,
                              [&](const Channel& channel) { return allowed(channel, destination); });
      })
{
    require_room_for_tables(topology, routing);
}

Route ShortestPaths::route(ProcessorId source, ProcessorId destination)
{
    const auto [from, to] = endpoints(*topology_, source, destination);
    if (!has_route(from, to))
        throw std::invalid_argument(fmt::format("{}: no path from processor {} to processor {}",
                                                topology_->name(), topology_->processor(source).name,
                                                topology_->processor(destination).name));
    return route(from, to, Spread(source, destination));
}

bool ShortestPaths::has_route(RouterId from, RouterId to)
{
    return tables_.of(to)[from] != unreachable;
}

Route ShortestPaths::route(RouterId at, RouterId to, Spread spread)
{
    Route result;
    Channels next;
    while (at != to) {
        find_next(at, to, next);
        result.push_back({next[spread.pick(next.size())]});
        at = topology_->channel(result.back().channel).target;
    }
    return result;
}

void ShortestPaths::find_next(RouterId at, RouterId to, Channels& next)
{
    const DestinationTables::Table& distance = tables_.of(to);
    next.clear();
    for (const ChannelId id : topology_->channels_from(at))
        if (leads_nearer(distance, topology_->channel(id), cost_) &&
            (!allowed_ || allowed_(topology_->channel(id), to)))
            next.push_back(id);
}

} // namespace nocturne
