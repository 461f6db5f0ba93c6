#include "models/routing/grid_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

using enum GridDirection;

constexpr ChannelId missing_channel = ~ChannelId{0};

GridDirection opposite(GridDirection direction)
{
    return direction == positive ? negative : positive;
}

} // namespace

GridSteps::GridSteps(const Topology& topology)
    : grid_(*topology.grid()), stride_(grid_.extent.size(), 1),
      channels_(topology.router_count() * grid_.extent.size() * 2, missing_channel),
      only_(grid_.extent.size())
{
    for (std::size_t d = grid_.extent.size(); d-- > 1;)
        stride_[d - 1] = stride_[d] * grid_.extent[d];
    for (RouterId router = 0; router < topology.router_count(); ++router)
        for (std::size_t d = 0; d < dimensions(); ++d)
            for (const GridDirection direction : {positive, negative})
                add(topology, router, d, direction);
    if (grid_.wraps)
        find_only_directions();
    find_missing(topology);
}

void GridSteps::add(const Topology& topology, RouterId router, std::size_t d, GridDirection direction)
{
    const auto next = neighbour(router, d, direction);
    if (!next)
        return;
    const auto ports = topology.channels_from(router);
    const auto found = std::find_if(ports.begin(), ports.end(),
                                    [&](ChannelId id) { return topology.channel(id).target == *next; });
    if (found != ports.end())
        channels_[index(router, d, direction)] = *found;
}

bool GridSteps::is_there(std::size_t d, GridDirection direction) const
{
    const auto routers = static_cast<RouterId>(channels_.size() / dimensions() / 2);
    for (RouterId router = 0; router < routers; ++router)
        if (channel(router, d, direction) != missing_channel)
            return true;
    return false;
}

void GridSteps::find_only_directions()
{
    for (std::size_t d = 0; d < dimensions(); ++d)
        for (const GridDirection direction : {positive, negative})
            if (!is_there(d, opposite(direction)) && is_there(d, direction))
                only_[d] = direction;
}

void GridSteps::find_missing(const Topology& topology)
{
    for (RouterId router = 0; router < topology.router_count(); ++router)
        for (std::size_t d = 0; d < dimensions(); ++d)
            for (const GridDirection direction : {positive, negative}) {
                const auto next = neighbour(router, d, direction);
                if (!next || only_[d].value_or(direction) != direction ||
                    channel(router, d, direction) != missing_channel)
                    continue;
                missing_ = fmt::format("link {}-{} does not exist", topology.router_name(router),
                                       topology.router_name(*next));
                return;
            }
}

bool GridSteps::is_one_way() const
{
    return std::ranges::any_of(only_, [](const auto& direction) { return direction.has_value(); });
}

GridDirection GridSteps::direction(std::size_t d, unsigned from, unsigned to) const
{
    if (only_[d])
        return *only_[d];
    if (!grid_.wraps)
        return from < to ? positive : negative;
    const unsigned forward = (to + grid_.extent[d] - from) % grid_.extent[d];
    return 2 * forward <= grid_.extent[d] ? positive : negative;
}

GridDirection GridSteps::direction_from(RouterId router, std::size_t d, unsigned to, HalfWay half_way) const
{
    if (half_way == HalfWay::positive || !is_half_way(router, d, to))
        return direction(d, coordinate(router, d), to);
    unsigned sum = 0;
    for (std::size_t each = 0; each < dimensions(); ++each)
        sum += coordinate(router, each);
    return sum % 2 == 0 ? positive : negative;
}

bool GridSteps::is_half_way(RouterId router, std::size_t d, unsigned to) const
{
    const unsigned from = coordinate(router, d);
    return grid_.wraps && !only_[d] && 2 * (from < to ? to - from : from - to) == grid_.extent[d];
}

bool GridSteps::crosses_later(std::size_t d, unsigned from, unsigned to) const
{
    if (direction(d, from, to) == positive)
        return from > to && from != grid_.extent[d] - 1;
    return from < to && from != 0;
}

bool GridSteps::are_neighbours(RouterId a, RouterId b) const
{
    for (std::size_t d = 0; d < dimensions(); ++d)
        if (neighbour(a, d, positive) == b || neighbour(a, d, negative) == b)
            return true;
    return false;
}

std::optional<RouterId> GridSteps::neighbour(RouterId router, std::size_t d, GridDirection direction) const
{
    const unsigned extent = grid_.extent[d];
    const unsigned from = coordinate(router, d);
    const bool at_edge = from == (direction == positive ? extent - 1 : 0);
    if (extent == 1 || (at_edge && !grid_.wraps))
        return std::nullopt;
    const unsigned to = (from + (direction == positive ? 1 : extent - 1)) % extent;
    return router + to * stride_[d] - from * stride_[d];
}

RouterId GridSteps::go_along(std::size_t d, unsigned to, GridDirection direction, RouterId at,
                             Route& route) const
{
    const unsigned last = extent(d) - 1;
    const RouterId step = stride(d);
    for (unsigned place = coordinate(at, d); place != to;) {
        route.push_back({channel(at, d, direction)});
        const bool wraps_here = place == (direction == positive ? last : 0);
        const bool goes_up = (direction == positive) != wraps_here;
        const unsigned by = wraps_here ? last : 1;
        place = goes_up ? place + by : place - by;
        at = goes_up ? at + by * step : at - by * step;
    }
    return at;
}

SharedGridSteps complete_grid(const Topology& topology, std::string_view routing)
{
    if (!topology.grid())
        throw std::invalid_argument(fmt::format("{}: no grid for {} routing", topology.name(), routing));
    auto steps = std::make_shared<const GridSteps>(topology);
    if (steps->missing())
        throw std::invalid_argument(
            fmt::format("{}: {} routing: {}", topology.name(), routing, *steps->missing()));
    return steps;
}

bool is_complete_grid(const Topology& topology)
{
    if (!topology.grid())
        return false;
    const GridSteps steps(topology);
    const auto channels = topology.channels();
    return !steps.missing() && std::all_of(channels.begin(), channels.end(), [&](const Channel& channel) {
        return steps.are_neighbours(channel.source, channel.target);
    });
}

} // namespace nocturne
