#include "schedules/bounds/vertex_set_bound.hpp"

#include "schedules/bounds/max_flow.hpp"

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
    const auto& messages = problem.collective.messages;
    const auto enters = [&](const Message& message) {
        return !inside[topology.processor(message.origin).injection] &&
               std::any_of(message.receivers.begin(), message.receivers.end(), [&](ProcessorId receiver) {
                   return inside[topology.processor(receiver).ejection];
               });
    };
    const auto channels = topology.channels();
    Entry entry;
    entry.messages = std::count_if(messages.begin(), messages.end(), enters);
    entry.channels = std::count_if(channels.begin(), channels.end(), [&](const Channel& channel) {
        return !inside[channel.source] && inside[channel.target];
    });
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
    std::stable_sort(receivers.begin(), receivers.end(),
                     [&](ProcessorId a, ProcessorId b) { return degree(a) < degree(b); });
    const std::size_t most = std::max<std::size_t>(1, most_work / (topology.channel_count() + 1));
    receivers.resize(std::min(receivers.size(), most));
    return receivers;
}

/// Routers around `receiver` that the messages of `origins` for it cannot enter in `steps` steps; nothing if
/// there are none.
std::optional<std::vector<bool>> bottleneck(const Topology& topology, ProcessorId receiver,
                                            const std::vector<ProcessorId>& origins, std::int64_t steps)
{
    const auto source = static_cast<std::uint32_t>(topology.router_count());
    MaxFlow flow(topology.router_count() + 1);
    for (const Channel& channel : topology.channels())
        flow.add_arc(channel.source, channel.target, steps);
    // A processor is on one side.
    for (const auto& [injection, ejection, name] : topology.processors())
        if (injection != ejection) {
            flow.add_arc(injection, ejection, MaxFlow::unlimited);
            flow.add_arc(ejection, injection, MaxFlow::unlimited);
        }
    const RouterId sink = topology.processor(receiver).ejection;
    std::int64_t messages = 0;
    for (const ProcessorId origin : origins)
        if (topology.processor(origin).injection != sink) {
            flow.add_arc(source, topology.processor(origin).injection, 1);
            ++messages;
        }
    if (flow.run(source, sink) == messages)
        return std::nullopt;
    std::vector<bool> inside(topology.router_count());
    for (RouterId router = 0; router < inside.size(); ++router)
        inside[router] = !flow.is_on_source_side(router);
    return inside;
}

std::string reason(const Topology& topology, const Entry& entry, const std::vector<RouterId>& routers)
{
    std::string set = fmt::format("a set of {} routers", routers.size());
    if (routers.size() <= most_names) {
        std::vector<std::string> names;
        for (const RouterId router : routers)
            names.push_back(topology.router_name(router));
        set = fmt::format("router{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
    }
    return fmt::format("{} messages must enter {} through {} channel{}", entry.messages, set, entry.channels,
                       entry.channels == 1 ? "" : "s");
}

} // namespace

std::optional<Bound> vertex_set_bound(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const auto& messages = problem.collective.messages;
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
    VertexSet set;
    for (RouterId router = 0; router < tightest.inside.size(); ++router)
        if (tightest.inside[router])
            set.routers.push_back(router);
    std::string text = reason(topology, tightest, set.routers);
    return Bound{static_cast<unsigned>(tightest.steps()), BoundKind::vertex_set, std::move(text),
                 std::move(set)};
}

} // namespace nocturne
