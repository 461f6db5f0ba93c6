#include "models/routing/datelines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// What a channel does in a torus: in which dimension it travels, and whether it crosses the dateline there.
struct Crossing {
    std::size_t dimension;
    bool crosses;
};

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
    return Crossing{d, distance == last && last > 1};
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
    const auto last = static_cast<unsigned>(place->size()) - 1;
    for (const Channel& channel : topology.channels()) {
        const auto [low, high] = std::minmax((*place)[channel.source], (*place)[channel.target]);
        result.push_back(low == high ? std::nullopt : std::optional(Crossing{0, high - low == last}));
    }
    return result;
}

void assign_classes(const Topology& topology, const Crossings& crossings, Route& route)
{
    std::optional<std::size_t> dimension;
    std::uint32_t crossed = 0;
    for (Hop& hop : route) {
        const auto& crossing = crossings[hop.channel];
        if (!crossing)
            throw std::invalid_argument(
                fmt::format("{}: {} does not join neighbours of the grid: no dateline for it",
                            topology.name(), describe_channel(topology, hop.channel)));
        if (crossing->dimension != dimension)
            crossed = 0;
        dimension = crossing->dimension;
        hop.vc_class = crossed;
        crossed += crossing->crosses ? 1 : 0;
    }
}

} // namespace

bool has_datelines(const Topology& topology)
{
    return find_crossings(topology).has_value();
}

Routing with_datelines(const Topology& topology, Routing routing)
{
    auto found = find_crossings(topology);
    if (!found)
        throw std::invalid_argument(
            fmt::format("{}: datelines are for rings and tori only", topology.name()));
    if (routing.vc_classes != 1)
        throw std::invalid_argument(fmt::format("{}: routing {} has classes of virtual channels already",
                                                topology.name(), routing.name));

    const auto crossings = std::make_shared<const Crossings>(std::move(*found));
    auto route = [&topology, crossings, base = std::move(routing.route)](ProcessorId source,
                                                                         ProcessorId destination) {
        Route result = base(source, destination);
        assign_classes(topology, *crossings, result);
        return result;
    };
    std::uint32_t highest = 0;
    // Destination by destination: a table-driven routing then stays in one table.
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            for (const Hop& hop : route(source, destination))
                highest = std::max(highest, hop.vc_class);
    return {routing.name + "+datelines", highest + 1, route};
}

} // namespace nocturne
