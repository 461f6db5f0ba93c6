#include "models/routing/destination_tables.hpp"
#include "models/routing/distances.hpp"
#include "models/routing/hamming_steps.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

using enum GridDirection;

/// One hop in each dimension; of parallel channels a pair has always the same one.
Routing travel_directly(const Topology& topology, std::vector<std::size_t> order, std::string name)
{
    auto route = [&topology, steps = std::make_shared<const HammingSteps>(topology),
                  order = std::move(order)](ProcessorId source, ProcessorId destination) {
        auto [at, end] = endpoints(topology, source, destination);
        Route result;
        Spread spread(source, destination);
        for (const std::size_t d : order) {
            if (steps->coordinate(at, d) == steps->coordinate(end, d))
                continue;
            const auto channels = steps->channels(at, d, steps->coordinate(end, d));
            const auto& [next, channel] = channels[spread.pick(channels.size())];
            result.push_back({channel});
            at = next;
        }
        return result;
    };
    return {std::move(name), 1, ObliviousRoutes{route}};
}

Routing travel(const Topology& topology, const SharedGridSteps& steps, std::vector<std::size_t> order,
               std::string name, HalfWay half_way = HalfWay::positive)
{
    if (is_hamming_graph(topology))
        return travel_directly(topology, std::move(order), std::move(name));
    auto route = [&topology, steps, order = std::move(order), half_way](ProcessorId source,
                                                                        ProcessorId destination) {
        auto [at, end] = endpoints(topology, source, destination);
        Route result;
        for (const std::size_t d : order) {
            const unsigned to = steps->coordinate(end, d);
            at = steps->go_along(d, to, steps->direction_from(at, d, to, half_way), at, result);
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
    const auto go_on = [&](GridDirection direction) {
        Route longer = route;
        const RouterId next = steps.go_along(d, to, direction, at, longer);
        visit_either_way(steps, d, next, end, longer, visit);
    };
    go_on(steps.direction(d, steps.coordinate(at, d), to));
    if (steps.is_half_way(at, d, to))
        go_on(negative); // direction() prefers the positive one
}

} // namespace

Routing dimension_order(const Topology& topology)
{
    return dimension_order(topology, HalfWay::positive);
}

Routing dimension_order(const Topology& topology, HalfWay half_way)
{
    const auto steps = complete_grid(topology, "dimension-order");
    std::vector<std::size_t> order(steps->dimensions());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    return travel(topology, steps, std::move(order), half_way == HalfWay::positive ? "dor" : "dor_even",
                  half_way);
}

Routing dimension_order(const Topology& topology, std::uint64_t seed)
{
    const auto steps = complete_grid(topology, "dimension-order");
    if (is_hamming_graph(topology)) { // nothing to draw
        Routing routing = dimension_order(topology);
        routing.name = "dor_random";
        return routing;
    }
    ObliviousRoutes routes;
    routes.in_order = false;
    routes.is_minimal_dimension_order = true;
    routes.route = [&topology, steps, random = std::make_shared<SplitMix64>(seed)](ProcessorId source,
                                                                                   ProcessorId destination) {
        auto [at, end] = endpoints(topology, source, destination);
        Route result;
        for (std::size_t d = steps->dimensions(); d-- > 0;) {
            const unsigned to = steps->coordinate(end, d);
            const GridDirection direction = steps->is_half_way(at, d, to)
                                                ? GridDirection(random->below(2))
                                                : steps->direction(d, steps->coordinate(at, d), to);
            at = steps->go_along(d, to, direction, at, result);
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
    const auto steps = complete_grid(topology, "dimension-order");
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
    if (is_hamming_graph(topology))
        return [steps = std::make_shared<const HammingSteps>(topology)](RouterId at, RouterId destination) {
            std::size_t d = steps->dimensions() - 1;
            while (steps->coordinate(at, d) == steps->coordinate(destination, d))
                --d;
            return Hop{steps->channels(at, d, steps->coordinate(destination, d)).front().second};
        };
    return [steps = complete_grid(topology, "dimension-order")](RouterId at, RouterId destination) {
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
