#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/set_receptions.hpp"
#include "schedules/flows/network_flow.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace nocturne {
namespace {

/// The most receivers x channels looked at: all receivers of a 32x32 torus.
constexpr std::size_t most_work = 6'000'000;
/// A reason lists as many routers by name.
constexpr std::size_t most_names = 4;

/// What must enter a set, and how much can in a step.
struct Entry {
    std::vector<bool> inside; ///< by router
    std::int64_t messages = 0;
    std::int64_t channels = 1;

    std::int64_t steps() const { return (messages + channels - 1) / channels; }
};

Entry entry_into(const Problem& problem, std::vector<bool> inside)
{
    const Topology& topology = problem.topology;
    const auto& messages = problem.collective.messages();
    const auto enters = [&](const Message& message) {
        return !inside[topology.processor(message.origin).injection] &&
               std::ranges::any_of(message.receivers, [&](ProcessorId receiver) {
                   return inside[topology.processor(receiver).ejection];
               });
    };
    const auto channels = topology.channels();
    Entry entry;
    entry.messages = std::ranges::count_if(messages, enters);
    entry.channels = std::ranges::count_if(
        channels, [&](const Channel& channel) { return !inside[channel.source] && inside[channel.target]; });
    entry.inside = std::move(inside);
    return entry;
}

/// The receivers of messages, the worst connected first, as many as the work allows.
std::vector<ProcessorId> receivers_to_try(const Topology& topology,
                                          const std::vector<std::vector<ProcessorId>>& origins)
{
    std::vector<ProcessorId> receivers(topology.processor_count());
    std::iota(receivers.begin(), receivers.end(), 0u);
    std::erase_if(receivers, [&](ProcessorId id) { return origins[id].empty(); });
    const auto degree = [&](ProcessorId id) {
        return topology.channels_to(topology.processor(id).ejection).size();
    };
    std::ranges::stable_sort(receivers, [&](ProcessorId a, ProcessorId b) { return degree(a) < degree(b); });
    const std::size_t most = std::max<std::size_t>(1, most_work / (topology.channel_count() + 1));
    receivers.resize(std::min(receivers.size(), most));
    return receivers;
}

/// Over channels of this capacity between routers; the last two vertices are for what goes in and out.
MaxFlow flow_over_channels(const Topology& topology, std::int64_t capacity)
{
    MaxFlow flow(topology.router_count() + 2);
    for (const Channel& channel : topology.channels())
        flow.add_arc(channel.source, channel.target, capacity);
    // A processor is on one side.
    for (const auto& [injection, ejection, name] : topology.processors())
        if (injection != ejection) {
            flow.add_arc(injection, ejection, MaxFlow::unlimited);
            flow.add_arc(ejection, injection, MaxFlow::unlimited);
        }
    return flow;
}

/// By router: is it beyond the minimum cut?
std::vector<bool> beyond_cut(const MaxFlow& flow, const Topology& topology)
{
    std::vector<bool> inside(topology.router_count());
    for (RouterId router = 0; router < inside.size(); ++router)
        inside[router] = !flow.is_on_source_side(router);
    return inside;
}

/// Routers around `receiver` that the messages of `origins` for it cannot enter in `steps` steps; nothing if
/// there are none.
std::optional<std::vector<bool>> bottleneck(const Topology& topology, ProcessorId receiver,
                                            const std::vector<ProcessorId>& origins, std::int64_t steps)
{
    const auto source = static_cast<std::uint32_t>(topology.router_count());
    MaxFlow flow = flow_over_channels(topology, steps);
    const RouterId sink = topology.processor(receiver).ejection;
    std::int64_t messages = 0;
    for (const ProcessorId origin : origins)
        if (topology.processor(origin).injection != sink) {
            flow.add_arc(source, topology.processor(origin).injection, 1);
            ++messages;
        }
    if (flow.run(source, sink) == messages)
        return std::nullopt;
    return beyond_cut(flow, topology);
}

std::string describe_set(const Topology& topology, const std::vector<RouterId>& routers)
{
    if (routers.size() > most_names)
        return fmt::format("a set of {} routers", routers.size());
    std::vector<std::string> names;
    for (const RouterId router : routers)
        names.push_back(topology.router_name(router));
    return fmt::format("router{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

/// The set as a certificate.
VertexSet set_of(const std::vector<bool>& inside)
{
    VertexSet set;
    for (RouterId router = 0; router < inside.size(); ++router)
        if (inside[router])
            set.routers.push_back(router);
    return set;
}

/// Routers without an origin into which fewer channels lead than their processors could receive in the first
/// step, by as many as possible; empty if all could be busy at once.
std::vector<bool> slow_to_begin(const Problem& problem)
{
    const Topology& topology = problem.topology;
    std::vector<bool> is_origin(topology.processor_count(), false);
    std::vector<bool> is_owed(topology.processor_count(), false);
    for (const Message& message : problem.collective.messages()) {
        is_origin[message.origin] = true;
        for (const ProcessorId receiver : message.receivers)
            is_owed[receiver] = true;
    }
    const auto source = static_cast<std::uint32_t>(topology.router_count());
    const std::uint32_t sink = source + 1;
    MaxFlow flow = flow_over_channels(topology, 1);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        if (is_origin[id])
            flow.add_arc(source, topology.processor(id).injection, MaxFlow::unlimited);
        else if (is_owed[id])
            flow.add_arc(topology.processor(id).ejection, sink, receive_ports(topology, id, problem.ports));
    flow.run(source, sink);
    return beyond_cut(flow, topology);
}

std::optional<Bound> reception_bound(const Problem& problem)
{
    const std::vector<bool> inside = slow_to_begin(problem);
    const SetReceptions receptions = receptions_of_set(problem, inside);
    if (receptions.steps == 0)
        return std::nullopt;
    VertexSet set = set_of(inside);
    std::string text = fmt::format(
        "{} messages are owed at {}, which {} none: at most {} a step, and {} in the first, by {} channel{}",
        receptions.owed, describe_set(problem.topology, set.routers),
        set.routers.size() == 1 ? "has" : "have", receptions.ports,
        std::min(receptions.channels, receptions.ports), receptions.channels,
        receptions.channels == 1 ? "" : "s");
    return Bound{static_cast<unsigned>(receptions.steps), std::move(text), std::move(set)};
}

} // namespace

std::optional<Bound> vertex_set_bound(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const auto& messages = problem.collective.messages();
    if (is_personalized(problem.collective))
        return std::nullopt;
    std::vector<std::vector<ProcessorId>> origins(topology.processor_count()); // by receiver
    for (const Message& message : messages)
        for (const ProcessorId receiver : message.receivers)
            origins[receiver].push_back(message.origin);
    Entry tightest;
    for (const ProcessorId receiver : receivers_to_try(topology, origins))
        while (auto inside = bottleneck(topology, receiver, origins[receiver], tightest.steps()))
            tightest = entry_into(problem, std::move(*inside));
    if (tightest.messages == 0)
        return std::nullopt; // all at one router
    if (auto receptions = reception_bound(problem); receptions && receptions->steps > tightest.steps())
        return receptions;
    VertexSet set = set_of(tightest.inside);
    std::string text = fmt::format("{} messages must enter {} through {} channel{}", tightest.messages,
                                   describe_set(topology, set.routers), tightest.channels,
                                   tightest.channels == 1 ? "" : "s");
    return Bound{static_cast<unsigned>(tightest.steps()), std::move(text), std::move(set)};
}

} // namespace nocturne
