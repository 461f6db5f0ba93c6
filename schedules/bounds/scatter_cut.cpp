#include "schedules/bounds/scatter_cut.hpp"

#include "models/routing/distances.hpp"
#include "schedules/flows/max_flow.hpp"

#include <algorithm>

namespace nocturne {
namespace {

/// Is each channel on minimal walks from the only origin, or to the only receiver?
std::vector<bool> minimal_channels(const Problem& problem, bool one_origin)
{
    const Topology& topology = problem.topology;
    const Message& message = problem.collective.messages().front();
    const auto hops = one_origin
                          ? distances_from(topology, topology.processor(message.origin).injection)
                          : distances_to(topology, topology.processor(message.receivers.front()).ejection);
    std::vector<bool> minimal;
    for (const Channel& channel : topology.channels()) {
        const auto [near, far] = one_origin ? std::pair{channel.source, channel.target}
                                            : std::pair{channel.target, channel.source};
        minimal.push_back(hops[near] != unreachable && hops[near] + 1 == hops[far]);
    }
    return minimal;
}

/// The walks of all messages: `graph` without the arcs that lead nowhere.
std::vector<WalkGraph::Arc> usable_arcs(const Problem& problem, const WalkGraph& graph, bool one_origin)
{
    const auto minimal = graph.slack() ? minimal_channels(problem, one_origin)
                                       : std::vector<bool>(problem.topology.channel_count(), true);
    std::vector<bool> sends(graph.vertex_count(), false);
    std::vector<bool> receives(graph.vertex_count(), false);
    for (const Message& message : problem.collective.messages()) {
        sends[message.origin] = true;
        receives[message.receivers.front()] = true;
    }
    std::vector<WalkGraph::Arc> arcs;
    for (const WalkGraph::Arc& arc : graph.arcs()) {
        const bool is_usable = graph.is_channel(arc)                ? minimal[arc.resource]
                               : graph.relays()                     ? true
                               : arc.from < graph.processor_count() ? sends[arc.from]
                                                                    : receives[arc.to];
        if (is_usable)
            arcs.push_back(arc);
    }
    return arcs;
}

struct Cut {
    std::vector<std::int64_t> lengths; ///< 1 for its resources
    std::int64_t steps;                ///< that the messages across it need
};

/// A minimum cut that `steps` steps cannot bring all messages through; nothing if there is none.
std::optional<Cut> tight_cut(const Problem& problem, const WalkGraph& graph,
                             const std::vector<WalkGraph::Arc>& arcs, std::int64_t steps)
{
    const auto source = static_cast<std::uint32_t>(graph.vertex_count());
    const std::uint32_t sink = source + 1;
    MaxFlow flow(graph.vertex_count() + 2);
    for (const WalkGraph::Arc& arc : arcs)
        flow.add_arc(arc.from, arc.to,
                     arc.resource == no_resource
                         ? MaxFlow::unlimited
                         : static_cast<std::int64_t>(graph.capacity(arc.resource)) * steps);
    for (const Message& message : problem.collective.messages()) {
        flow.add_arc(source, message.origin, 1);
        flow.add_arc(message.receivers.front(), sink, 1);
    }
    if (flow.run(source, sink) == static_cast<std::int64_t>(problem.collective.messages().size()))
        return std::nullopt;
    Cut cut{std::vector<std::int64_t>(graph.resource_count(), 0), 0};
    std::int64_t capacity = 0;
    for (const WalkGraph::Arc& arc : arcs)
        if (flow.is_on_source_side(arc.from) && !flow.is_on_source_side(arc.to)) {
            cut.lengths[arc.resource] = 1;
            capacity += static_cast<std::int64_t>(graph.capacity(arc.resource));
        }
    const auto across = std::count_if(problem.collective.messages().begin(),
                                      problem.collective.messages().end(), [&](const Message& message) {
                                          return flow.is_on_source_side(message.origin) &&
                                                 !flow.is_on_source_side(message.receivers.front());
                                      });
    cut.steps = (across + capacity - 1) / capacity;
    return cut;
}

} // namespace

std::optional<std::vector<std::int64_t>> scatter_cut(const Problem& problem, const WalkGraph& graph)
{
    const auto& messages = problem.collective.messages();
    const auto all_share = [&](auto end) {
        return std::all_of(messages.begin(), messages.end(),
                           [&](const Message& message) { return end(message) == end(messages.front()); });
    };
    const bool one_origin = all_share([](const Message& message) { return message.origin; });
    const bool one_receiver = all_share([](const Message& message) { return message.receivers.front(); });
    if ((!one_origin && !one_receiver) || graph.slack().value_or(0) > 0)
        return std::nullopt;
    const auto arcs = usable_arcs(problem, graph, one_origin);
    // Steps rise to what the cut at hand proves, until no cut is too tight: the last one that was proves the
    // bound.
    std::vector<std::int64_t> lengths(graph.resource_count(), 1);
    std::int64_t steps = 1;
    while (auto cut = tight_cut(problem, graph, arcs, steps)) {
        lengths = std::move(cut->lengths);
        steps = cut->steps;
    }
    return lengths;
}

} // namespace nocturne
