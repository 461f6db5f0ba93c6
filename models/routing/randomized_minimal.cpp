#include "models/routing/distances.hpp"
#include "models/routing/grid_steps.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

using enum GridDirection;

SharedGridSteps mesh_steps(const Topology& topology, const char* routing)
{
    SharedGridSteps steps = complete_grid(topology, routing);
    if (steps->wraps())
        throw std::invalid_argument(fmt::format("{}: {} routing is for meshes", topology.name(), routing));
    return steps;
}

/// Adds the hops by dimension order, in class `vc_class`; the router at which they end.
RouterId go_to(const GridSteps& steps, RouterId at, RouterId end, bool is_last_dimension_first,
               std::uint32_t vc_class, Route& route)
{
    const std::size_t hops_before = route.size();
    const std::size_t dimensions = steps.dimensions();
    for (std::size_t i = 0; i < dimensions; ++i) {
        const std::size_t d = is_last_dimension_first ? dimensions - 1 - i : i;
        const unsigned to = steps.coordinate(end, d);
        at = steps.go_along(d, to, steps.direction(d, steps.coordinate(at, d), to), at, route);
    }
    for (std::size_t hop = hops_before; hop < route.size(); ++hop)
        route[hop].vc_class = vc_class;
    return at;
}

/// A hop out of or into a router, along a dimension.
struct GridHop {
    ChannelId channel;
    std::size_t dimension;
    GridDirection direction;
};

/// Of minimal routes: nothing turns back.
bool is_minimal_turn(const GridHop& in, const GridHop& out)
{
    return in.dimension != out.dimension || in.direction == out.direction;
}

bool goes_on_by_order(const GridHop& in, const GridHop& out, bool is_last_dimension_first)
{
    if (in.dimension == out.dimension)
        return in.direction == out.direction;
    return is_last_dimension_first ? in.dimension > out.dimension : in.dimension < out.dimension;
}

/// Visits all pairs of hops that follow each other on some minimal route.
template <typename Visit>
void visit_minimal_turns(const Topology& topology, const GridSteps& steps, Visit visit)
{
    const auto hop_from = [&](RouterId router, std::size_t d,
                              GridDirection direction) -> std::optional<GridHop> {
        const unsigned at = steps.coordinate(router, d);
        if (direction == positive ? at + 1 == steps.extent(d) : at == 0)
            return std::nullopt;
        return GridHop{steps.channel(router, d, direction), d, direction};
    };
    const auto for_each_hop = [&](RouterId router, auto use) {
        for (std::size_t d = 0; d < steps.dimensions(); ++d)
            for (const GridDirection direction : {positive, negative})
                if (const auto hop = hop_from(router, d, direction))
                    use(*hop);
    };
    for (RouterId from = 0; from < topology.router_count(); ++from)
        for_each_hop(from, [&](const GridHop& in) {
            for_each_hop(topology.channel(in.channel).target, [&](const GridHop& out) {
                if (is_minimal_turn(in, out))
                    visit(in, out);
            });
        });
}

} // namespace

Routing o1turn(const Topology& topology, std::uint64_t seed)
{
    const SharedGridSteps steps = mesh_steps(topology, "o1turn");
    if (steps->dimensions() != 2)
        throw std::invalid_argument(
            fmt::format("{}: o1turn routing is for meshes of two dimensions", topology.name()));
    ObliviousRoutes routes;
    routes.in_order = false;
    routes.route = [&topology, steps, random = std::make_shared<SplitMix64>(seed)](ProcessorId source,
                                                                                   ProcessorId destination) {
        const auto [at, end] = endpoints(topology, source, destination);
        const std::uint32_t vc_class = random->below(2);
        Route route;
        go_to(*steps, at, end, vc_class == 0, vc_class, route);
        return route;
    };
    routes.fragments = [&topology, steps](const VisitFragment& visit) {
        visit_minimal_turns(topology, *steps, [&](const GridHop& in, const GridHop& out) {
            for (const std::uint32_t vc_class : {0u, 1u})
                if (goes_on_by_order(in, out, vc_class == 0))
                    visit({{in.channel, vc_class}, {out.channel, vc_class}});
        });
    };
    return {"o1turn", 2, std::move(routes)};
}

Routing romm(const Topology& topology, std::uint64_t seed)
{
    const SharedGridSteps steps = mesh_steps(topology, "romm");
    ObliviousRoutes routes;
    routes.in_order = false;
    routes.route = [&topology, steps, random = std::make_shared<SplitMix64>(seed)](ProcessorId source,
                                                                                   ProcessorId destination) {
        const auto [at, end] = endpoints(topology, source, destination);
        RouterId between = 0;
        for (std::size_t d = 0; d < steps->dimensions(); ++d) {
            const auto [low, high] = std::minmax({steps->coordinate(at, d), steps->coordinate(end, d)});
            between += (low + random->below(high - low + 1)) * steps->stride(d);
        }
        Route route;
        go_to(*steps, at, between, true, 0, route);
        go_to(*steps, between, end, true, 1, route);
        return route;
    };
    routes.fragments = [&topology, steps](const VisitFragment& visit) {
        visit_minimal_turns(topology, *steps, [&](const GridHop& in, const GridHop& out) {
            for (const std::uint32_t vc_class : {0u, 1u})
                if (goes_on_by_order(in, out, true))
                    visit({{in.channel, vc_class}, {out.channel, vc_class}});
            visit({{in.channel, 0}, {out.channel, 1}});
        });
    };
    return {"romm", 2, std::move(routes)};
}

} // namespace nocturne
