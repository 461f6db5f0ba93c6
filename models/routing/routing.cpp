#include "models/routing/routing.hpp"

#include "models/routing/adaptive.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

std::shared_ptr<const AdaptiveRouting> Routing::adaptive() const
{
    const auto* const decided_at_routers = std::get_if<std::shared_ptr<const AdaptiveRouting>>(&kind);
    return decided_at_routers == nullptr ? nullptr : *decided_at_routers;
}

std::shared_ptr<const RouteChoice> Routing::choice() const
{
    const auto* const decided_at_entry = std::get_if<std::shared_ptr<const RouteChoice>>(&kind);
    return decided_at_entry == nullptr ? nullptr : *decided_at_entry;
}

Route Routing::route(ProcessorId source, ProcessorId destination) const
{
    if (const auto* const oblivious = std::get_if<ObliviousRoutes>(&kind))
        return oblivious->route(source, destination);
    if (const auto two = choice())
        throw std::invalid_argument(fmt::format(
            "routing {} is decided where messages enter the network: it has no routes to give beforehand",
            name));
    throw std::invalid_argument(
        fmt::format("{}: adaptive routing is decided in the network: it has no routes to give beforehand",
                    adaptive()->topology().name()));
}

std::function<void(const VisitFragment&)> Routing::fragments() const
{
    if (const auto* const oblivious = std::get_if<ObliviousRoutes>(&kind))
        return oblivious->fragments;
    if (const auto two = choice())
        return two->detour.fragments();
    return [adaptive = adaptive()](const VisitFragment& visit) { adaptive->visit_fragments(visit); };
}

bool Routing::in_order() const
{
    const auto* const oblivious = std::get_if<ObliviousRoutes>(&kind);
    return oblivious != nullptr && oblivious->in_order;
}

std::string minimal_text(const Topology& topology, const Routing& routing)
{
    return routing.minimal ? describe_minimal(topology, *routing.minimal) : std::string();
}

} // namespace nocturne
