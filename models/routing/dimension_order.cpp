#include "models/routing/dimension_order.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace nocturne {

namespace {

enum Direction : std::size_t { positive, negative };

/// The way from router to neighbour in each dimension and direction.
class GridSteps {
public:
    explicit GridSteps(const Topology& topology)
        : grid_(*topology.grid()), stride_(grid_.extent.size(), 1),
          channels_(topology.router_count() * grid_.extent.size() * 2)
    {
        for (std::size_t d = grid_.extent.size(); d-- > 1;)
            stride_[d - 1] = stride_[d] * grid_.extent[d];
        for (RouterId router = 0; router < topology.router_count(); ++router)
            for (std::size_t d = 0; d < dimensions(); ++d)
                for (const Direction direction : {positive, negative})
                    if (const auto next = neighbour(router, d, direction))
                        add(topology, router, d, direction, *next);
    }

    std::size_t dimensions() const { return stride_.size(); }
    unsigned extent(std::size_t d) const { return grid_.extent[d]; }
    /// Of neighbours in router indices.
    RouterId stride(std::size_t d) const { return stride_[d]; }
    unsigned coordinate(RouterId router, std::size_t d) const
    {
        return router / stride_[d] % grid_.extent[d];
    }
    ChannelId channel(RouterId router, std::size_t d, Direction direction) const
    {
        return channels_[(router * dimensions() + d) * 2 + direction];
    }
    /// The shorter way from coordinate `from` to coordinate `to`.
    Direction direction(std::size_t d, unsigned from, unsigned to) const
    {
        if (!grid_.wraps)
            return from < to ? positive : negative;
        const unsigned forward = (to + grid_.extent[d] - from) % grid_.extent[d];
        return 2 * forward <= grid_.extent[d] ? positive : negative;
    }

    /// The shorter way from a router to coordinate `to`.
    Direction direction_from(RouterId router, std::size_t d, unsigned to, HalfWay half_way) const
    {
        if (half_way == HalfWay::positive || !is_half_way(router, d, to))
            return direction(d, coordinate(router, d), to);
        unsigned sum = 0;
        for (std::size_t each = 0; each < dimensions(); ++each)
            sum += coordinate(router, each);
        return sum % 2 == 0 ? positive : negative;
    }

    /// Is it as far both ways round from a router to coordinate `to`?
    bool is_half_way(RouterId router, std::size_t d, unsigned to) const
    {
        const unsigned from = coordinate(router, d);
        return grid_.wraps && 2 * (from < to ? to - from : from - to) == grid_.extent[d];
    }

    /// Does the way from coordinate `from` to coordinate `to` cross the dateline, but not in its first hop?
    bool crosses_later(std::size_t d, unsigned from, unsigned to) const
    {
        if (direction(d, from, to) == positive)
            return from > to && from != grid_.extent[d] - 1;
        return from < to && from != 0;
    }

    bool are_neighbours(RouterId a, RouterId b) const
    {
        for (std::size_t d = 0; d < dimensions(); ++d)
            if (neighbour(a, d, positive) == b || neighbour(a, d, negative) == b)
                return true;
        return false;
    }

    /// What a message says of the first channel that is missing.
    const std::optional<std::string>& missing() const { return missing_; }

private:
    std::optional<RouterId> neighbour(RouterId router, std::size_t d, Direction direction) const
    {
        const unsigned extent = grid_.extent[d];
        const unsigned from = coordinate(router, d);
        const bool at_edge = from == (direction == positive ? extent - 1 : 0);
        if (extent == 1 || (at_edge && !grid_.wraps))
            return std::nullopt;
        const unsigned to = (from + (direction == positive ? 1 : extent - 1)) % extent;
        return router + to * stride_[d] - from * stride_[d];
    }

    void add(const Topology& topology, RouterId router, std::size_t d, Direction direction, RouterId next)
    {
        const auto ports = topology.channels_from(router);
        const auto found = std::find_if(ports.begin(), ports.end(),
                                        [&](ChannelId id) { return topology.channel(id).target == next; });
        if (found != ports.end())
            channels_[(router * dimensions() + d) * 2 + direction] = *found;
        else if (!missing_)
            missing_ = fmt::format("link {}-{} does not exist", topology.router_name(router),
                                   topology.router_name(next));
    }

    Grid grid_;
    std::vector<unsigned> stride_;    ///< by dimension
    std::vector<ChannelId> channels_; ///< by router, dimension, direction
    std::optional<std::string> missing_;
};

using Steps = std::shared_ptr<const GridSteps>;

Steps complete_grid(const Topology& topology)
{
    if (!topology.grid())
        throw std::invalid_argument(fmt::format("{}: no grid for dimension-order routing", topology.name()));
    auto steps = std::make_shared<const GridSteps>(topology);
    if (steps->missing())
        throw std::invalid_argument(
            fmt::format("{}: dimension-order routing: {}", topology.name(), *steps->missing()));
    return steps;
}

/// Adds the hops in one dimension; the router at which they end. Without a division or a look at the topology
/// for each hop: traffic takes a route for each packet.
RouterId go_along(const GridSteps& steps, std::size_t d, unsigned to, Direction direction, RouterId at,
                  Route& route)
{
    const unsigned last = steps.extent(d) - 1;
    const RouterId stride = steps.stride(d);
    for (unsigned coordinate = steps.coordinate(at, d); coordinate != to;) {
        route.push_back({steps.channel(at, d, direction)});
        const bool wraps = coordinate == (direction == positive ? last : 0);
        const bool goes_up = (direction == positive) != wraps;
        const unsigned by = wraps ? last : 1;
        coordinate = goes_up ? coordinate + by : coordinate - by;
        at = goes_up ? at + by * stride : at - by * stride;
    }
    return at;
}

Routing travel(const Topology& topology, const Steps& steps, std::vector<std::size_t> order, std::string name,
               HalfWay half_way = HalfWay::positive)
{
    auto route = [&topology, steps, order = std::move(order), half_way](ProcessorId source,
                                                                        ProcessorId destination) {
        auto [at, end] = endpoints(topology, source, destination);
        Route result;
        for (const std::size_t d : order) {
            const unsigned to = steps->coordinate(end, d);
            at = go_along(*steps, d, to, steps->direction_from(at, d, to, half_way), at, result);
        }
        return result;
    };
    ObliviousRoutes routes{route};
    routes.is_minimal_dimension_order = true;
    return {std::move(name), 1, std::move(routes)};
}

/// All routes of a pair that differ in the direction in which they go half round a ring. `route` leads to the
/// router `at`, and its end is to be in dimensions `left` - 1 to 0.
void visit_either_way(const GridSteps& steps, std::size_t left, RouterId at, RouterId end, const Route& route,
                      const VisitFragment& visit)
{
    if (left == 0) {
        visit(route);
        return;
    }
    const std::size_t d = left - 1;
    const unsigned to = steps.coordinate(end, d);
    const auto go_on = [&](Direction direction) {
        Route longer = route;
        const RouterId next = go_along(steps, d, to, direction, at, longer);
        visit_either_way(steps, d, next, end, longer, visit);
    };
    go_on(steps.direction(d, steps.coordinate(at, d), to));
    if (steps.is_half_way(at, d, to))
        go_on(negative); // direction() prefers the positive one
}

} // namespace

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

Routing dimension_order(const Topology& topology)
{
    return dimension_order(topology, HalfWay::positive);
}

Routing dimension_order(const Topology& topology, HalfWay half_way)
{
    const auto steps = complete_grid(topology);
    std::vector<std::size_t> order(steps->dimensions());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    return travel(topology, steps, std::move(order), half_way == HalfWay::positive ? "dor" : "dor_even",
                  half_way);
}

Routing dimension_order(const Topology& topology, std::uint64_t seed)
{
    const auto steps = complete_grid(topology);
    ObliviousRoutes routes;
    routes.in_order = false;
    routes.is_minimal_dimension_order = true;
    routes.route = [&topology, steps, random = std::make_shared<SplitMix64>(seed)](ProcessorId source,
                                                                                   ProcessorId destination) {
        auto [at, end] = endpoints(topology, source, destination);
        Route result;
        for (std::size_t d = steps->dimensions(); d-- > 0;) {
            const unsigned to = steps->coordinate(end, d);
            const Direction direction = steps->is_half_way(at, d, to)
                                            ? Direction(random->below(2))
                                            : steps->direction(d, steps->coordinate(at, d), to);
            at = go_along(*steps, d, to, direction, at, result);
        }
        return result;
    };
    routes.fragments = [&topology, steps](const VisitFragment& visit) {
        require_pairwise_size(topology, "all routes of dor_random");
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
                const auto [at, end] = endpoints(topology, source, destination);
                visit_either_way(*steps, steps->dimensions(), at, end, {}, visit);
            }
    };
    return {"dor_random", 1, std::move(routes)};
}

Routing dimension_order(const Topology& topology, std::vector<std::size_t> order)
{
    const auto steps = complete_grid(topology);
    std::vector<std::size_t> all(steps->dimensions());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!std::is_permutation(order.begin(), order.end(), all.begin(), all.end()))
        throw std::invalid_argument(fmt::format("{}: dimension order {}: expected each of 0 to {} once",
                                                topology.name(), fmt::join(order, ","), all.size() - 1));
    std::string name = fmt::format("dor:{}", fmt::join(order, ","));
    return travel(topology, steps, std::move(order), std::move(name));
}

Routing plane_order(const Topology& topology, PlaneOrder order)
{
    const char* const name = order == PlaneOrder::xy ? "xy" : "yx";
    if (!topology.grid() || topology.grid()->extent.size() != 2)
        throw std::invalid_argument(
            fmt::format("{}: {} routing is for grids of two dimensions", topology.name(), name));
    Routing routing = dimension_order(topology, order == PlaneOrder::xy ? std::vector<std::size_t>{1, 0}
                                                                        : std::vector<std::size_t>{0, 1});
    routing.name = name;
    return routing;
}

NextHop dimension_order_hops(const Topology& topology)
{
    return [steps = complete_grid(topology)](RouterId at, RouterId destination) {
        std::size_t d = steps->dimensions() - 1;
        while (steps->coordinate(at, d) == steps->coordinate(destination, d))
            --d;
        const unsigned from = steps->coordinate(at, d);
        const unsigned to = steps->coordinate(destination, d);
        return Hop{steps->channel(at, d, steps->direction(d, from, to)),
                   steps->crosses_later(d, from, to) ? 1u : 0u};
    };
}

} // namespace nocturne
