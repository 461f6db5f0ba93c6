#include "models/routing/distances.hpp"
#include "models/routing/minimal_paths.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"
#include "models/routing/shortest_path.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr const char* name_of_minimal = "lgl";

/// Shortest paths over local channels, and global ones into the destination's group.
class GroupPaths {
public:
    GroupPaths(const Topology& topology, const PathCost& cost)
        : topology_(&topology),
          paths_(
              topology, cost,
              [per_group = group_size(topology)](const Channel& channel, RouterId destination) {
                  const RouterId group = channel.target / per_group;
                  return group == destination / per_group || group == channel.source / per_group;
              },
              name_of_minimal)
    {
    }

    bool is_global(ChannelId id) const
    {
        const Channel& channel = topology_->channel(id);
        return group_of(channel.source) != group_of(channel.target);
    }
    RouterId group_of(RouterId id) const { return id / topology_->routers_per_group(); }

    /// `vc_class` is that of its hops before a global channel.
    Route route(ProcessorId source, ProcessorId destination, std::uint32_t vc_class)
    {
        return in_classes(paths_.route(source, destination), vc_class);
    }
    Route route(RouterId from, RouterId to, Spread spread, std::uint32_t vc_class)
    {
        return in_classes(paths_.route(from, to, spread), vc_class);
    }
    /// Any two hops that follow each other on a way to the router.
    void visit_turns(RouterId to, std::uint32_t vc_class, const VisitFragment& visit)
    {
        ShortestPaths::Channels in, out;
        for (RouterId at = 0; at < topology_->router_count(); ++at) {
            if (at == to || !paths_.has_route(at, to))
                continue;
            paths_.find_next(at, to, in);
            for (const ChannelId first : in) {
                const RouterId between = topology_->channel(first).target;
                if (between == to)
                    continue;
                paths_.find_next(between, to, out);
                for (const ChannelId second : out) {
                    visit(in_classes({{first}, {second}}, vc_class));
                    if (group_of(at) == group_of(to))
                        visit(in_classes({{first}, {second}}, vc_class + 1));
                }
            }
        }
    }
    /// As far as the first router of the other group.
    Route way_into_group(ProcessorId source, ProcessorId in_group)
    {
        Route route = this->route(source, in_group, 0);
        while (!is_global(route.back().channel))
            route.pop_back();
        return route;
    }

private:
    static unsigned group_size(const Topology& topology)
    {
        if (topology.routers_per_group() == 0)
            throw std::invalid_argument(fmt::format(
                "{}: routing lgl goes from group to group, and the network has no groups", topology.name()));
        return topology.routers_per_group();
    }

    Route in_classes(Route route, std::uint32_t vc_class) const
    {
        for (Hop& hop : route) {
            if (is_global(hop.channel))
                ++vc_class;
            hop.vc_class = vc_class;
        }
        return route;
    }

    const Topology* topology_;
    ShortestPaths paths_;
};

using SharedPaths = std::shared_ptr<GroupPaths>;

Routing minimal_in_classes(const SharedPaths& paths, const PathCost& cost, std::uint32_t first_class)
{
    return {name_of_minimal, 2 + first_class,
            ObliviousRoutes{[paths, first_class](ProcessorId source, ProcessorId destination) {
                return paths->route(source, destination, first_class);
            }},
            cost};
}

/// The router at which a route ends.
RouterId end_of(const Topology& topology, const Route& route)
{
    return topology.channel(route.back().channel).target;
}

/// All hops that can follow each other on a way round or on a minimal one, and more: out of the channel into
/// the group between goes whatever leaves that router.
void visit_fragments_of_groups(const Topology& topology, GroupPaths& paths, const VisitFragment& visit)
{
    for (const RouterId to : ejection_routers(topology))
        for (const std::uint32_t first_class : {0u, 1u}) // the way into a group, and any other
            paths.visit_turns(to, first_class, visit);
    for (ChannelId in = 0; in < topology.channel_count(); ++in)
        if (paths.is_global(in))
            for (const ChannelId out : topology.channels_from(topology.channel(in).target))
                visit({{in, 1}, {out, paths.is_global(out) ? 2u : 1u}});
}

Routing valiant_over(const Topology& topology, const SharedPaths& paths, std::uint64_t seed,
                     const PathCost& cost)
{
    require_way_through_processors(topology);
    ObliviousRoutes routes;
    routes.in_order = false;
    routes.route = [&topology, paths, random = std::make_shared<SplitMix64>(seed)](ProcessorId source,
                                                                                   ProcessorId destination) {
        const auto [from, to] = endpoints(topology, source, destination);
        if (paths->group_of(from) == paths->group_of(to))
            return paths->route(source, destination, 1);
        const ProcessorId middle = random->below(static_cast<std::uint32_t>(topology.processor_count()));
        const RouterId group = paths->group_of(topology.processor(middle).ejection);
        if (group == paths->group_of(from) || group == paths->group_of(to))
            return paths->route(source, destination, 1);
        Route route = paths->way_into_group(source, middle);
        const Route second = paths->route(end_of(topology, route), to, Spread(source, destination), 1);
        route.insert(route.end(), second.begin(), second.end());
        return route;
    };
    routes.fragments = [&topology, paths](const VisitFragment& visit) {
        visit_fragments_of_groups(topology, *paths, visit);
    };
    return {std::string("valiant:") + name_of_minimal, 3, std::move(routes), cost};
}

} // namespace

Routing group_minimal(const Topology& topology, const PathCost& cost)
{
    return minimal_in_classes(std::make_shared<GroupPaths>(topology, cost), cost, 0);
}

Routing group_valiant(const Topology& topology, std::uint64_t seed, const PathCost& cost)
{
    return valiant_over(topology, std::make_shared<GroupPaths>(topology, cost), seed, cost);
}

Routing group_ugal(const Topology& topology, std::uint64_t seed, const PathCost& cost,
                   QueueKnowledge knowledge, unsigned threshold)
{
    const auto paths = std::make_shared<GroupPaths>(topology, cost);
    return ugal(minimal_in_classes(paths, cost, 1), valiant_over(topology, paths, seed, cost), knowledge,
                threshold);
}

} // namespace nocturne
