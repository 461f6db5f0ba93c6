#include "models/routing/layers.hpp"

#include "models/routing/turn_layer.hpp"
#include "models/routing/turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

/// `takes(layer, turn, channel, next)` says whether a layer takes a turn.
template <typename Takes>
void climb(const Turns& turns, Route& route, Takes takes)
{
    for (std::size_t i = 1; i < route.size(); ++i) {
        const std::uint32_t layer = route[i - 1].vc_class;
        const std::size_t turn = turns.index(route[i - 1].channel, route[i].channel);
        route[i].vc_class = takes(layer, turn, route[i - 1].channel, route[i].channel) ? layer : layer + 1;
    }
}

/// What is left of the layers when all routes have been seen.
struct Assignment {
    Turns turns;
    std::vector<std::vector<bool>> taken; ///< by class and turn
    unsigned vc_classes = 1;
};

Assignment assign(const Topology& topology, const Routing& routing)
{
    Assignment result{Turns(topology), {}};
    std::vector<TurnLayer> layers;
    // Destination by destination: a table-driven routing then stays in one table.
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
        for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
            Route route = routing.route(source, destination);
            climb(result.turns, route, [&](auto layer, std::size_t turn, ChannelId channel, ChannelId next) {
                if (layer == layers.size())
                    layers.emplace_back(topology.channel_count(), result.turns.count());
                return layers[layer].take(turn, channel, next);
            });
            if (!route.empty())
                result.vc_classes = std::max(result.vc_classes, route.back().vc_class + 1);
        }
    for (const TurnLayer& layer : layers)
        result.taken.push_back(layer.taken());
    // The last class may never have been asked for a turn, because no route goes on in it.
    result.taken.resize(result.vc_classes, std::vector<bool>(result.turns.count()));
    return result;
}

} // namespace

Routing with_layers(const Topology& topology, Routing routing)
{
    if (routing.vc_classes != 1)
        throw std::invalid_argument(fmt::format("{}: routing {} has classes of virtual channels already",
                                                topology.name(), routing.name));
    routing.name += "+layers";
    require_pairwise_size(topology, "routing " + routing.name);
    const auto assignment = std::make_shared<const Assignment>(assign(topology, routing));
    if (assignment->vc_classes == 1)
        return routing;
    if (!routing.in_order())
        throw std::invalid_argument(
            fmt::format("{}: layers are for routings with one route for a pair, which {} is not",
                        topology.name(), routing.name));

    auto route = [name = topology.name() + ": routing " + routing.name, assignment,
                  base = routing](ProcessorId source, ProcessorId destination) {
        Route result = base.route(source, destination);
        climb(assignment->turns, result, [&](auto layer, std::size_t turn, ChannelId, ChannelId) {
            return layer < assignment->vc_classes && assignment->taken[layer][turn];
        });
        if (!result.empty() && result.back().vc_class >= assignment->vc_classes)
            throw std::runtime_error(
                fmt::format("{}: the route from processor {} to processor {} is not the one that "
                            "its classes were made for",
                            name, source, destination));
        return result;
    };
    return {routing.name, assignment->vc_classes, ObliviousRoutes{route}};
}

} // namespace nocturne
