#include "models/routing/plane_routing.hpp"

#include "models/routing/destination_tables.hpp"
#include "models/routing/distances.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

namespace nocturne {

namespace {

struct RoutedPlane {
    RouterId first; ///< in the whole
    Topology network;
    std::vector<ChannelId> channels; ///< those of the network in the whole
    std::optional<Routing> routing = {};
};

/// Where a message can enter or leave a plane.
struct Access {
    const RoutedPlane* plane;
    RouterId router;                  ///< of the plane
    std::optional<ChannelId> channel; ///< between this and the processor's router, if they differ
};

Topology network_of(const Topology& topology, const Plane& plane, std::span<const ChannelId> channels)
{
    const std::string& name = topology.router_name(plane.first);
    Topology network(fmt::format("{} in {}", name.substr(0, name.find('/')), topology.name()));
    for (RouterId r = 0; r < plane.routers; ++r) {
        network.add_router(topology.router_name(plane.first + r));
        network.set_part(r, topology.part(plane.first + r));
        network.add_processor(r);
    }
    for (const ChannelId id : channels) {
        Channel channel = topology.channel(id);
        channel.source -= plane.first;
        channel.target -= plane.first;
        network.add_channel(channel);
    }
    if (plane.grid)
        network.set_grid(*plane.grid);
    network.set_routers_per_group(plane.routers_per_group);
    return network;
}

/// What may be a plane: where the network does not say, each layer along the first dimension of its grid.
std::vector<Plane> possible_planes(const Topology& topology)
{
    std::vector<Plane> planes(topology.planes().begin(), topology.planes().end());
    const std::optional<Grid>& grid = topology.grid();
    if (!planes.empty() || !grid || grid->extent.size() < 2)
        return planes;
    const auto routers = static_cast<RouterId>(topology.router_count() / grid->extent.front());
    const Grid of_layer{{grid->extent.begin() + 1, grid->extent.end()}, grid->wraps};
    for (RouterId layer = 0; layer < grid->extent.front(); ++layer)
        planes.push_back({layer * routers, routers, of_layer});
    return planes;
}

struct PlaneChannels {
    Plane plane;
    std::vector<ChannelId> channels; ///< inside it, never none
};

/// Empty if there are no two.
std::vector<PlaneChannels> planes_in(const Topology& topology)
{
    std::vector<PlaneChannels> planes;
    std::vector<std::size_t> place(topology.router_count()); ///< by router: in `planes`, counted from 1
    for (const Plane& plane : possible_planes(topology)) {
        planes.push_back({plane, {}});
        std::fill_n(place.begin() + plane.first, plane.routers, planes.size());
    }
    const auto is_inside = [&](const Channel& channel) {
        return place[channel.source] == place[channel.target] && place[channel.source] != 0;
    };
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        if (is_inside(topology.channel(id)))
            planes[place[topology.channel(id).source] - 1].channels.push_back(id);
    const auto is_on_plane = [&](RouterId router) {
        return place[router] != 0 && !planes[place[router] - 1].channels.empty();
    };
    for (const Channel& channel : topology.channels())
        if (!is_inside(channel) && is_on_plane(channel.source) == is_on_plane(channel.target))
            return {};
    for (RouterId r = 0; r < topology.router_count(); ++r)
        if (!is_on_plane(r) && !topology.channels_from(r).empty() && !topology.channels_to(r).empty())
            return {};
    std::erase_if(planes, [](const PlaneChannels& each) { return each.channels.empty(); });
    return planes.size() < 2 ? std::vector<PlaneChannels>() : planes;
}

class PlaneRoutes {
public:
    PlaneRoutes(const Topology& topology, std::vector<RoutedPlane> planes)
        : topology_(topology), planes_(std::move(planes)), leaving_(topology.router_count()),
          reaching_(topology.router_count())
    {
        const auto plane_at = [&](RouterId router) -> const RoutedPlane* {
            for (const RoutedPlane& plane : planes_)
                if (router >= plane.first && router - plane.first < plane.network.router_count())
                    return &plane;
            return nullptr;
        };
        for (RouterId r = 0; r < topology.router_count(); ++r) {
            if (const RoutedPlane* const plane = plane_at(r)) {
                leaving_[r] = reaching_[r] = {{plane, r - plane->first, std::nullopt}};
                continue;
            }
            for (const ChannelId id : topology.channels_from(r))
                if (const RoutedPlane* const plane = plane_at(topology.channel(id).target))
                    leaving_[r].push_back({plane, topology.channel(id).target - plane->first, id});
            for (const ChannelId id : topology.channels_to(r))
                if (const RoutedPlane* const plane = plane_at(topology.channel(id).source))
                    reaching_[r].push_back({plane, topology.channel(id).source - plane->first, id});
        }
    }

    Route route(ProcessorId source, ProcessorId destination) const
    {
        const auto [from, to] = endpoints(topology_, source, destination);
        if (from == to)
            return {};
        std::vector<Route> shortest;
        for (const Access& enter : leaving_[from])
            for (const Access& leave : reaching_[to]) {
                if (enter.plane != leave.plane)
                    continue;
                Route route = over(enter, leave);
                if (!shortest.empty() && route.size() < shortest.front().size())
                    shortest.clear();
                if (shortest.empty() || route.size() == shortest.front().size())
                    shortest.push_back(std::move(route));
            }
        if (shortest.empty())
            throw std::invalid_argument(fmt::format("{}: no plane leads from processor {} to processor {}",
                                                    topology_.name(), topology_.processor(source).name,
                                                    topology_.processor(destination).name));
        return shortest[Spread(source, destination).pick(shortest.size())];
    }

    /// What joins planes and processors is crossed in class 0.
    VcClasses vc_classes() const
    {
        unsigned most = 1;
        for (const RoutedPlane& plane : planes_)
            most = std::max(most, plane.routing->vc_classes.count());
        std::vector<double> one_class(most, 0);
        one_class.front() = 1;
        std::vector<std::vector<double>> loads(topology_.channel_count(), one_class);
        for (const RoutedPlane& plane : planes_)
            for (const ChannelId id : plane.channels)
                std::fill_n(loads[id].begin(), plane.routing->vc_classes.count(), 1.0);
        return VcClasses(std::move(loads));
    }

private:
    Route over(const Access& enter, const Access& leave) const
    {
        Route route;
        if (enter.channel)
            route.push_back({*enter.channel});
        for (const Hop& hop : enter.plane->routing->route(enter.router, leave.router))
            route.push_back({enter.plane->channels[hop.channel], hop.vc_class});
        if (leave.channel)
            route.push_back({*leave.channel});
        return route;
    }

    const Topology& topology_;
    std::vector<RoutedPlane> planes_;           ///< stays where it is: routings refer to its networks
    std::vector<std::vector<Access>> leaving_;  ///< by router: what it can enter
    std::vector<std::vector<Access>> reaching_; ///< by router: where it can be come to from
};

} // namespace

bool has_planes(const Topology& topology)
{
    return !planes_in(topology).empty();
}

std::vector<RouterId> tile_routers(const Topology& topology)
{
    const std::vector<PlaneChannels> planes = planes_in(topology);
    std::vector<RouterId> routers;
    for (RouterId r = 0; r < topology.router_count() && !planes.empty(); ++r)
        if (std::ranges::none_of(planes, [&](const PlaneChannels& each) {
                return r >= each.plane.first && r - each.plane.first < each.plane.routers;
            }))
            routers.push_back(r);
    return routers;
}

Routing plane_routing(const Topology& topology, std::span<const std::string> names, const PlaneRouting& make)
{
    std::vector<RoutedPlane> planes;
    for (PlaneChannels& each : planes_in(topology))
        planes.push_back(
            {each.plane.first, network_of(topology, each.plane, each.channels), std::move(each.channels)});
    if (planes.empty())
        throw std::invalid_argument(
            fmt::format("{}: planes routing: it is not made of planes", topology.name()));
    if (names.size() != 1 && names.size() != planes.size())
        throw std::invalid_argument(fmt::format("{}: {} routings for {} planes: one for all, or one for each",
                                                topology.name(), names.size(), planes.size()));
    for (std::size_t i = 0; i < planes.size(); ++i) {
        RoutedPlane& plane = planes[i];
        plane.routing = make(plane.network, names.size() == 1 ? names.front() : names[i], plane.first);
        if (!plane.routing->in_order())
            throw std::invalid_argument(fmt::format("{}: planes routing over {}, which has no single route "
                                                    "for a pair",
                                                    topology.name(), plane.routing->name));
    }
    const auto routes = std::make_shared<const PlaneRoutes>(topology, std::move(planes));
    ObliviousRoutes oblivious;
    oblivious.route = [routes](ProcessorId source, ProcessorId destination) {
        return routes->route(source, destination);
    };
    return {fmt::format("planes:{}", fmt::join(names, ",")), routes->vc_classes(), std::move(oblivious)};
}

} // namespace nocturne
