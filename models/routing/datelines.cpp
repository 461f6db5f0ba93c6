#include "models/routing/destination_tables.hpp"
#include "models/routing/grid_steps.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace nocturne {

namespace {

/// What a channel does in a torus: in which dimension it travels, in which direction (up leads from the last
/// router to the first), and whether it crosses the dateline there, or the middle.
struct Crossing {
    std::size_t dimension;
    bool goes_up;
    bool crosses;
    bool crosses_middle;
};

/// From one neighbour to another on a ring of so many routers, at these places.
Crossing crossing_of(std::size_t dimension, unsigned extent, unsigned from, unsigned to)
{
    const auto [low, high] = std::minmax(from, to);
    const bool is_dateline = extent > 2 && high - low == extent - 1;
    return {dimension, is_dateline ? to < from : from < to, is_dateline,
            !is_dateline && low == (extent - 1) / 2};
}

/// By channel; nothing for a channel that does not join neighbours of the grid.
using Crossings = std::vector<std::optional<Crossing>>;

std::optional<Crossing> grid_crossing(const Topology& topology, const Channel& channel)
{
    const std::vector<unsigned> from = topology.coordinates(channel.source);
    const std::vector<unsigned> to = topology.coordinates(channel.target);
    const auto [at, unused] = std::mismatch(from.begin(), from.end(), to.begin());
    if (at == from.end())
        return std::nullopt;
    const auto d = static_cast<std::size_t>(at - from.begin());
    if (!std::equal(at + 1, from.end(), to.begin() + d + 1))
        return std::nullopt;
    const unsigned distance = std::max(from[d], to[d]) - std::min(from[d], to[d]);
    const unsigned last = topology.grid()->extent[d] - 1;
    if (distance != 1 && distance != last)
        return std::nullopt;
    return crossing_of(d, last + 1, from[d], to[d]);
}

/// The place of each router on the ring that the whole network is, from router 0 by way of its lowest
/// neighbour; nothing if the network is no ring.
std::optional<std::vector<unsigned>> ring_places(const Topology& topology)
{
    std::vector<std::set<RouterId>> neighbours(topology.router_count());
    for (const Channel& channel : topology.channels())
        if (channel.source != channel.target) {
            neighbours[channel.source].insert(channel.target);
            neighbours[channel.target].insert(channel.source);
        }
    const auto has_two = [](const std::set<RouterId>& set) { return set.size() == 2; };
    if (neighbours.empty() || !std::all_of(neighbours.begin(), neighbours.end(), has_two))
        return std::nullopt;

    std::vector<unsigned> place(neighbours.size());
    RouterId before = 0;
    RouterId at = *neighbours[0].begin();
    unsigned length = 1;
    for (; at != 0; ++length) {
        place[at] = length;
        const RouterId next =
            *neighbours[at].begin() == before ? *neighbours[at].rbegin() : *neighbours[at].begin();
        before = std::exchange(at, next);
    }
    if (length != neighbours.size())
        return std::nullopt; // several rings
    return place;
}

/// Nothing if the topology is neither ring nor torus.
std::optional<Crossings> find_crossings(const Topology& topology)
{
    Crossings result;
    if (topology.grid() && topology.grid()->wraps) {
        for (const Channel& channel : topology.channels())
            result.push_back(grid_crossing(topology, channel));
        return result;
    }
    const auto place = ring_places(topology);
    if (!place)
        return std::nullopt;
    const auto extent = static_cast<unsigned>(place->size());
    for (const Channel& channel : topology.channels())
        result.push_back(
            channel.source == channel.target
                ? std::nullopt
                : std::optional(crossing_of(0, extent, (*place)[channel.source], (*place)[channel.target])));
    return result;
}

const Crossing& crossing_at(const Topology& topology, const Crossings& crossings, const Hop& hop)
{
    if (!crossings[hop.channel])
        throw std::invalid_argument(
            fmt::format("{}: {} does not join neighbours of the grid: no dateline for it", topology.name(),
                        describe_channel(topology, hop.channel)));
    return *crossings[hop.channel];
}

/// Datelines crossed before in the dimension.
void count_crossings(const Topology& topology, const Crossings& crossings, Route& route)
{
    std::optional<std::size_t> dimension;
    std::uint32_t crossed = 0;
    for (Hop& hop : route) {
        const Crossing& crossing = crossing_at(topology, crossings, hop);
        if (crossing.dimension != dimension)
            crossed = 0;
        dimension = crossing.dimension;
        hop.vc_class = crossed;
        crossed += crossing.crosses ? 1 : 0;
    }
}

/// One class for all hops in a dimension: `class_of()` what they cross together.
template <typename ClassOf>
void set_ring_classes(const Topology& topology, const Crossings& crossings, Route& route, ClassOf class_of)
{
    for (auto first = route.begin(); first != route.end();) {
        Crossing ring = crossing_at(topology, crossings, *first);
        auto end = first;
        for (; end != route.end(); ++end) {
            const Crossing& crossing = crossing_at(topology, crossings, *end);
            if (crossing.dimension != ring.dimension)
                break;
            ring.crosses = ring.crosses || crossing.crosses;
            ring.crosses_middle = ring.crosses_middle || crossing.crosses_middle;
        }
        if (ring.crosses && ring.crosses_middle)
            throw std::invalid_argument(fmt::format("{}: a route crosses the dateline and the middle of one "
                                                    "ring: one class for a ring is for minimal routing",
                                                    topology.name()));
        const std::uint32_t vc_class = class_of(ring);
        for (; first != end; ++first)
            first->vc_class = vc_class;
    }
}

/// `pick()` for those that may have either class.
template <typename Pick>
void share_out(const Topology& topology, const Crossings& crossings, Route& route, Pick pick)
{
    set_ring_classes(topology, crossings, route, [&](const Crossing& ring) -> std::uint32_t {
        const std::uint32_t either = pick();
        return ring.crosses ? 1 : ring.crosses_middle ? 0 : either;
    });
}

} // namespace

bool has_datelines(const Topology& topology)
{
    return find_crossings(topology).has_value();
}

namespace {

/// The highest class of any route.
template <typename Assign, typename RouteOf>
std::uint32_t highest_class(const Topology& topology, const Routing& base, const RouteOf& route)
{
    // A minimal route crosses each dateline once at most, and nothing can go wrong with it: the first that
    // has a higher class settles it, and a ring of three that goes both ways has none that goes on behind its
    // dateline.
    const auto* const oblivious = std::get_if<ObliviousRoutes>(&base.kind);
    const bool is_settled_early = oblivious && oblivious->is_minimal_dimension_order;
    if (is_settled_early && Assign::counts && !GridSteps(topology).is_one_way() &&
        std::ranges::all_of(topology.grid()->extent, [](unsigned k) { return k < 4; }))
        return 0;
    if (is_settled_early && !oblivious->in_order)
        return 1; // what can be drawn counts, not what is
    if (!is_settled_early)
        require_pairwise_size(topology, "datelines of a routing other than dimension order");
    std::uint32_t highest = 0;
    // Destination by destination: a table-driven routing then stays in one table.
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
        for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
            for (const Hop& hop : route(source, destination))
                highest = std::max(highest, hop.vc_class);
            if (is_settled_early && highest > 0)
                return highest;
        }
    return highest;
}

/// Visits every route of the routing once or more.
void visit_routes(const Topology& topology, const Routing& routing, const VisitFragment& visit)
{
    if (const auto visit_all = routing.fragments()) {
        visit_all(visit);
        return;
    }
    require_pairwise_size(topology, "all routes of drawn classes");
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            visit(routing.route(source, destination));
}

/// `assign(route, source, destination)` gives the hops of each route their classes. `visit_all(route, visit)`
/// visits the route with all classes that its hops can have.
template <typename Assign, typename VisitAll>
Routing with_classes(const Topology& topology, const Routing& routing, std::string_view name, Assign assign,
                     VisitAll visit_all)
{
    if (routing.vc_classes != 1)
        throw std::invalid_argument(fmt::format("{}: routing {} has classes of virtual channels already",
                                                topology.name(), routing.name));
    const auto* const base = std::get_if<ObliviousRoutes>(&routing.kind);
    if (base && base->fragments && !base->is_minimal_dimension_order)
        throw std::invalid_argument(fmt::format("{}: routing {} draws its routes: of such routings only "
                                                "dor_random can have datelines",
                                                topology.name(), routing.name));
    ObliviousRoutes routes;
    routes.route = [routing, assign](ProcessorId source, ProcessorId destination) {
        Route result = routing.route(source, destination);
        assign(result, source, destination);
        return result;
    };
    const std::uint32_t highest = highest_class<Assign>(topology, routing, routes.route);
    routes.in_order = routing.in_order() && !Assign::draws;
    if (!routes.in_order)
        routes.fragments = [&topology, routing, visit_all](const VisitFragment& visit) {
            visit_routes(topology, routing, [&](const Route& route) { visit_all(route, visit); });
        };
    return {fmt::format("{}+{}", routing.name, name), highest + 1, std::move(routes)};
}

std::shared_ptr<const Crossings> crossings_of(const Topology& topology)
{
    auto found = find_crossings(topology);
    if (!found)
        throw std::invalid_argument(
            fmt::format("{}: datelines are for rings and tori only", topology.name()));
    return std::make_shared<const Crossings>(std::move(*found));
}

/// Counts datelines.
struct Counted {
    static constexpr bool draws = false;
    static constexpr bool counts = true;
    const Topology* topology;
    std::shared_ptr<const Crossings> crossings;

    void operator()(Route& route, ProcessorId, ProcessorId) const
    {
        count_crossings(*topology, *crossings, route);
    }
};

/// Shares classes out, by a hash of source and destination.
struct Hashed {
    static constexpr bool draws = false;
    static constexpr bool counts = false;
    const Topology* topology;
    std::shared_ptr<const Crossings> crossings;

    void operator()(Route& route, ProcessorId source, ProcessorId destination) const
    {
        share_out(*topology, *crossings, route, [spread = Spread(source, destination)]() mutable {
            return static_cast<std::uint32_t>(spread.pick(2));
        });
    }
};

/// Shares classes out, drawn.
struct Drawn {
    static constexpr bool draws = true;
    static constexpr bool counts = false;
    const Topology* topology;
    std::shared_ptr<const Crossings> crossings;
    std::shared_ptr<SplitMix64> random;

    void operator()(Route& route, ProcessorId, ProcessorId) const
    {
        share_out(*topology, *crossings, route, [this] { return random->below(2); });
    }
};

/// Sets apart what crosses the dateline of a ring.
struct SetApart {
    static constexpr bool draws = false;
    static constexpr bool counts = false;
    const Topology* topology;
    std::shared_ptr<const Crossings> crossings;

    void operator()(Route& route, ProcessorId, ProcessorId) const
    {
        set_ring_classes(*topology, *crossings, route,
                         [](const Crossing& ring) { return ring.goes_up == ring.crosses ? 1u : 0u; });
    }
};

/// The route with each pair of classes that two dimensions in a row can have.
void visit_classes(const Topology& topology, const Crossings& crossings, const Route& route,
                   const VisitFragment& visit)
{
    for (const std::uint32_t first : {0u, 1u})
        for (const std::uint32_t change : {0u, 1u}) {
            Route assigned = route;
            share_out(topology, crossings, assigned,
                      [change, next = first]() mutable { return std::exchange(next, next ^ change); });
            visit(assigned);
        }
}

/// A route has the same classes each time.
template <typename Assign>
Routing with_fixed_classes(const Topology& topology, const Routing& routing, std::string_view name,
                           const Assign& assign)
{
    return with_classes(topology, routing, name, assign, [assign](Route route, const VisitFragment& visit) {
        assign(route, {}, {});
        visit(route);
    });
}

template <typename Assign>
Routing balanced(const Topology& topology, Routing routing, const Assign& assign)
{
    // Where no route goes on behind a dateline there is nothing to share out.
    Routing counted = with_datelines(topology, routing);
    if (counted.vc_classes == 1) {
        counted.name = routing.name + "+balanced";
        return counted;
    }
    return with_classes(
        topology, routing, "balanced", assign,
        [&topology, crossings = assign.crossings](const Route& route, const VisitFragment& visit) {
            visit_classes(topology, *crossings, route, visit);
        });
}

} // namespace

Routing with_datelines(const Topology& topology, Routing routing)
{
    return with_fixed_classes(topology, routing, "datelines", Counted{&topology, crossings_of(topology)});
}

Routing with_crossing_classes(const Topology& topology, Routing routing)
{
    return with_fixed_classes(topology, routing, "crossing", SetApart{&topology, crossings_of(topology)});
}

Routing with_balanced_datelines(const Topology& topology, Routing routing)
{
    return balanced(topology, std::move(routing), Hashed{&topology, crossings_of(topology)});
}

Routing with_balanced_datelines(const Topology& topology, Routing routing, std::uint64_t seed)
{
    return balanced(topology, std::move(routing),
                    Drawn{&topology, crossings_of(topology), std::make_shared<SplitMix64>(seed)});
}

} // namespace nocturne
