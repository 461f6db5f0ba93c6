#include "models/routing/routings.hpp"
#include "models/routing/turn_layer.hpp"
#include "models/routing/turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

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
    std::vector<std::vector<bool>> taken;  ///< by class and turn
    std::vector<std::vector<double>> hops; ///< by channel and class, of all routes
    unsigned vc_classes = 1;
};

/// Of a network with more turns than that only one assignment is made, with little effort for each turn: a
/// search that goes on is nearly always one that ends with a cycle.
constexpr std::size_t most_turns_tried_twice = 1'000'000;
constexpr std::size_t little_effort = 16;

/// Makes assignments, which differ in the order in which class 0 is asked for turns.
class Assigner {
public:
    Assigner(const Topology& topology, const Routing& routing)
        : topology_(topology), routing_(routing), turns_(topology)
    {
    }

    const Turns& turns() const { return turns_; }

    /// In the order of the routes.
    Assignment by_routes() const { return assign({}); }

    /// Before the routes, the turns into the busiest channels: so it is the others on which routes move up to
    /// the next class, and where classes share the virtual channels.
    Assignment by_load(const Assignment& known) const
    {
        std::vector<double> load(topology_.channel_count());
        for (ChannelId id = 0; id < load.size(); ++id)
            load[id] = std::accumulate(known.hops[id].begin(), known.hops[id].end(), 0.0);
        std::vector<bool> is_used(turns_.count());
        for_each_route([&](const Route& route) {
            for (std::size_t i = 1; i < route.size(); ++i)
                is_used[turns_.index(route[i - 1].channel, route[i].channel)] = true;
        });
        std::vector<ChannelPair> wanted;
        for (ChannelId id = 0; id < topology_.channel_count(); ++id)
            for (const ChannelId next : topology_.channels_from(topology_.channel(id).target))
                if (is_used[turns_.index(id, next)])
                    wanted.emplace_back(id, next);
        std::stable_sort(wanted.begin(), wanted.end(), [&](const ChannelPair& a, const ChannelPair& b) {
            return load[a.second] > load[b.second];
        });
        return assign(wanted);
    }

private:
    using ChannelPair = std::pair<ChannelId, ChannelId>;

    template <typename Visit>
    void for_each_route(Visit visit) const
    {
        // Destination by destination: a table-driven routing then stays in one table.
        for (ProcessorId destination = 0; destination < topology_.processor_count(); ++destination)
            for (ProcessorId source = 0; source < topology_.processor_count(); ++source)
                visit(routing_.route(source, destination));
    }

    Assignment assign(const std::vector<ChannelPair>& first_turns) const
    {
        std::vector<TurnLayer> layers;
        const std::size_t effort =
            turns_.count() > most_turns_tried_twice ? little_effort : std::numeric_limits<std::size_t>::max();
        const auto take = [&](std::size_t layer, std::size_t turn, ChannelId channel, ChannelId next) {
            if (layer == layers.size())
                layers.emplace_back(topology_.channel_count(), turns_.count(), effort);
            return layers[layer].take(turn, channel, next);
        };
        for (const auto& [channel, next] : first_turns)
            take(0, turns_.index(channel, next), channel, next);
        Assignment result;
        result.hops.resize(topology_.channel_count());
        for_each_route([&](Route route) {
            climb(turns_, route, take);
            for (const Hop& hop : route) {
                std::vector<double>& hops = result.hops[hop.channel];
                hops.resize(std::max<std::size_t>(hops.size(), hop.vc_class + 1));
                ++hops[hop.vc_class];
                result.vc_classes = std::max(result.vc_classes, hop.vc_class + 1);
            }
        });
        for (std::vector<double>& hops : result.hops)
            hops.resize(result.vc_classes);
        for (const TurnLayer& layer : layers)
            result.taken.push_back(layer.taken());
        // The last class may never have been asked for a turn, because no route goes on in it.
        result.taken.resize(result.vc_classes, std::vector<bool>(turns_.count()));
        return result;
    }

    const Topology& topology_;
    const Routing& routing_;
    const Turns turns_;
};

/// The most hops that share a virtual channel where each link has twice as many as there are classes.
double peak_of(const Assignment& assignment)
{
    double peak = 0;
    for (const std::vector<double>& hops : assignment.hops) {
        const std::vector<unsigned> vcs = vcs_by_load(hops, 2 * assignment.vc_classes);
        for (std::size_t vc_class = 0; vc_class < hops.size(); ++vc_class)
            if (hops[vc_class] > 0)
                peak = std::max(peak, hops[vc_class] / vcs[vc_class]);
    }
    return peak;
}

/// That with the fewest classes, of equals that with the lower peak.
Assignment best_assignment(const Assigner& assigner)
{
    Assignment best = assigner.by_routes();
    if (best.vc_classes == 1 || assigner.turns().count() > most_turns_tried_twice)
        return best;
    Assignment other = assigner.by_load(best);
    const auto rank = [](const Assignment& each) { return std::pair(each.vc_classes, peak_of(each)); };
    return rank(other) < rank(best) ? other : best;
}

} // namespace

Routing with_layers(const Topology& topology, Routing routing)
{
    if (routing.vc_classes != 1)
        throw std::invalid_argument(fmt::format("{}: routing {} has classes of virtual channels already",
                                                topology.name(), routing.name));
    routing.name += "+layers";
    require_pairwise_size(topology, "routing " + routing.name);
    const Assigner assigner(topology, routing);
    const auto assignment = std::make_shared<const Assignment>(best_assignment(assigner));
    if (assignment->vc_classes == 1)
        return routing;
    if (!routing.in_order())
        throw std::invalid_argument(
            fmt::format("{}: layers are for routings with one route for a pair, which {} is not",
                        topology.name(), routing.name));

    auto route = [name = topology.name() + ": routing " + routing.name, assignment, turns = assigner.turns(),
                  base = routing](ProcessorId source, ProcessorId destination) {
        Route result = base.route(source, destination);
        climb(turns, result, [&](auto layer, std::size_t turn, ChannelId, ChannelId) {
            return layer < assignment->vc_classes && assignment->taken[layer][turn];
        });
        for (const Hop& hop : result)
            if (hop.vc_class >= assignment->vc_classes || assignment->hops[hop.channel][hop.vc_class] == 0)
                throw std::runtime_error(
                    fmt::format("{}: the route from processor {} to processor {} is not the one that "
                                "its classes were made for",
                                name, source, destination));
        return result;
    };
    return {routing.name, VcClasses(assignment->hops), ObliviousRoutes{route}, routing.minimal};
}

} // namespace nocturne
