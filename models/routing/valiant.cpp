#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

Route in_second_part(Route route, unsigned base_classes)
{
    for (Hop& hop : route)
        hop.vc_class += base_classes;
    return route;
}

/// The hops by which messages come to a processor, or leave it: each once.
using Hops = std::vector<Hop>;

void insert(Hops& hops, const Hop& hop)
{
    if (std::find(hops.begin(), hops.end(), hop) == hops.end())
        hops.push_back(hop);
}

/// Both parts of all pairs, and at each processor every way in with every way out.
void visit_fragments(const Topology& topology, const Routing& base, const VisitFragment& visit)
{
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    std::vector<Hops> ways_in(processors);
    std::vector<Hops> ways_out(processors);
    // Destination by destination: a table-driven routing then stays in one table.
    for (ProcessorId destination = 0; destination < processors; ++destination)
        for (ProcessorId source = 0; source < processors; ++source) {
            const Route first = base.route(source, destination);
            if (first.empty())
                continue;
            const Route second = in_second_part(first, base.vc_classes);
            visit(first);
            visit(second);
            insert(ways_in[destination], first.back());
            insert(ways_out[source], second.front());
        }
    for (ProcessorId id = 0; id < processors; ++id)
        for (const Hop& in : ways_in[id])
            for (const Hop& out : ways_out[id])
                visit({in, out});
}

} // namespace

void require_way_through_processors(const Topology& topology)
{
    for (const Processor& processor : topology.processors())
        if (processor.injection != processor.ejection)
            throw std::invalid_argument(
                fmt::format("{}: no message can pass through a processor, which valiant routing needs; "
                            "tag_random randomizes multistage networks",
                            topology.name()));
}

Routing valiant(const Topology& topology, Routing base, std::uint64_t seed)
{
    require_way_through_processors(topology);
    if (!base.in_order())
        throw std::invalid_argument(fmt::format(
            "{}: valiant routing over {}, which has no single route for a pair", topology.name(), base.name));
    ObliviousRoutes routes;
    routes.in_order = false;
    routes.route = [&topology, base, random = std::make_shared<SplitMix64>(seed)](ProcessorId source,
                                                                                  ProcessorId destination) {
        const auto [from, to] = endpoints(topology, source, destination);
        if (from == to)
            return Route();
        const ProcessorId middle = random->below(static_cast<std::uint32_t>(topology.processor_count()));
        Route route = base.route(source, middle);
        const Route second = in_second_part(base.route(middle, destination), base.vc_classes);
        route.insert(route.end(), second.begin(), second.end());
        return route;
    };
    routes.fragments = [&topology, base](const VisitFragment& visit) {
        visit_fragments(topology, base, visit);
    };
    return {"valiant:" + base.name, base.vc_classes.followed_by(base.vc_classes), std::move(routes),
            base.minimal};
}

} // namespace nocturne
