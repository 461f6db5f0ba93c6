// Written for the reader to be convinced, not for speed: no code of the bounds' own is used here.
#include "schedules/certificate/check_bound.hpp"

#include "models/routing/distances.hpp"
#include "schedules/certificate/check_dominator.hpp"
#include "schedules/certificate/drat.hpp"
#include "schedules/certificate/schedule_formula.hpp"
#include "schedules/certificate/set_receptions.hpp"
#include "schedules/certificate/shortest_lengths.hpp"
#include "schedules/certificate/sum_receptions.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/problem/copying_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace nocturne {
namespace {

/// Sums of 2^24 64-bit lengths of walks through 2^24 routers fit.
__extension__ typedef __int128 Wide;

struct Edge {
    std::uint32_t to;
    Wide length;
};
using Edges = std::vector<std::vector<Edge>>;

Wide ceil_of_ratio(Wide numerator, Wide denominator)
{
    return (numerator + denominator - 1) / denominator;
}

Refutation require(Wide proved, const Bound& bound)
{
    if (proved >= bound.steps)
        return std::nullopt;
    return fmt::format("the {} bound is {}, not {}", kind_of(bound), static_cast<unsigned>(proved),
                       bound.steps);
}

/// Lengths of 0 for every channel and port.
ChannelLengths no_lengths(const Topology& topology)
{
    return {std::vector<std::int64_t>(topology.channel_count()),
            std::vector<std::int64_t>(topology.processor_count()),
            std::vector<std::int64_t>(topology.processor_count())};
}

/// Under store-and-forward switching: from processor to processor, ports included.
Edges hops_between_processors(const Topology& topology, const ChannelLengths& lengths)
{
    Edges edges(topology.processor_count());
    for (ProcessorId from = 0; from < edges.size(); ++from) {
        const RouterId router = topology.processor(from).injection;
        const auto add = [&](RouterId at, Wide length) {
            for (const ProcessorId to : topology.processors_ejected_by(at))
                edges[from].push_back({to, lengths.injections[from] + length + lengths.ejections[to]});
        };
        add(router, 0);
        for (const ChannelId channel : topology.channels_from(router))
            add(topology.channel(channel).target, lengths.channels[channel]);
    }
    return edges;
}

/// Under wormhole switching: from router to router, over a channel or through a processor that relays.
Edges ways_between_routers(const Topology& topology, const ChannelLengths& lengths)
{
    Edges edges(topology.router_count());
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        edges[topology.channel(id).source].push_back({topology.channel(id).target, lengths.channels[id]});
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        edges[topology.processor(id).ejection].push_back(
            {topology.processor(id).injection, Wide{lengths.ejections[id]} + lengths.injections[id]});
    return edges;
}

/// -1 where nothing leads.
std::vector<Wide> shortest(const Edges& edges, std::uint32_t source)
{
    return shortest_lengths(edges.size(), source, Wide{-1}, [&](std::uint32_t vertex, const auto& visit) {
        for (const Edge& edge : edges[vertex])
            visit(edge.to, edge.length);
    });
}

/// The shortest walks of at most `slack` hops more than the fewest, to each router: one hop more at a time.
std::vector<Wide> shortest_within(const Topology& topology, const ChannelLengths& lengths, RouterId source,
                                  unsigned slack)
{
    slack = std::min(slack, static_cast<unsigned>(topology.router_count())); // no path visits a router twice
    const auto fewest = distances_from(topology, source);
    std::uint32_t most = 0;
    for (const std::uint32_t hops : fewest)
        most = std::max(most, hops == unreachable ? 0 : hops + slack);
    std::vector<Wide> now(topology.router_count(), -1); // by exactly that many hops
    std::vector<Wide> best = now;
    now[source] = best[source] = 0;
    for (std::uint32_t hops = 1; hops <= most; ++hops) {
        std::vector<Wide> next(now.size(), -1);
        for (ChannelId id = 0; id < topology.channel_count(); ++id) {
            const auto [from, to] = std::pair{topology.channel(id).source, topology.channel(id).target};
            if (now[from] < 0)
                continue;
            const Wide length = now[from] + lengths.channels[id];
            if (next[to] < 0 || length < next[to])
                next[to] = length;
            if (hops <= fewest[to] + slack && (best[to] < 0 || length < best[to]))
                best[to] = length;
        }
        now = std::move(next);
    }
    return best;
}

/// The length of a shortest walk from `origin` to each processor, its two ports included.
std::vector<Wide> walks_from(const Problem& problem, const ChannelLengths& lengths, ProcessorId origin)
{
    const Topology& topology = problem.topology;
    if (problem.switching == Switching::store_and_forward)
        return shortest(hops_between_processors(topology, lengths), origin);
    const RouterId source = topology.processor(origin).injection;
    const auto to_router = problem.slack ? shortest_within(topology, lengths, source, *problem.slack)
                                         : shortest(ways_between_routers(topology, lengths), source);
    std::vector<Wide> distance;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        distance.push_back(lengths.injections[origin] + to_router[topology.processor(id).ejection] +
                           lengths.ejections[id]);
    return distance;
}

Refutation check_sizes(const Topology& topology, const ChannelLengths& lengths)
{
    struct Part {
        std::string_view what;
        std::span<const std::int64_t> lengths;
        std::size_t expected;
    };
    const Part parts[] = {{"channels", lengths.channels, topology.channel_count()},
                          {"injections", lengths.injections, topology.processor_count()},
                          {"ejections", lengths.ejections, topology.processor_count()}};
    for (const Part& part : parts) {
        if (part.lengths.size() != part.expected)
            return fmt::format("lengths of {} {}, {} has {}", part.lengths.size(), part.what, topology.name(),
                               part.expected);
        for (std::size_t i = 0; i < part.lengths.size(); ++i)
            if (part.lengths[i] < 0)
                return fmt::format("the length {} of {}[{}] is negative", part.lengths[i], part.what, i);
    }
    return std::nullopt;
}

Refutation judge(const Problem& problem, const Bound& bound, const ChannelLengths& lengths)
{
    const Topology& topology = problem.topology;
    if (auto wrong = check_sizes(topology, lengths))
        return wrong;
    Wide capacity = 0;
    for (const std::int64_t length : lengths.channels)
        capacity += length;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        capacity += Wide{lengths.injections[id]} * send_ports(topology, id, problem.ports) +
                    Wide{lengths.ejections[id]} * receive_ports(topology, id, problem.ports);
    if (capacity == 0)
        return "all lengths are 0";
    Wide total = 0;
    std::vector<Wide> distance;
    std::optional<ProcessorId> origin;
    for (const Message& message : problem.collective.messages()) {
        if (message.receivers.size() != 1)
            return fmt::format("lengths bound messages with one receiver, one of {} has {}",
                               topology.processor(message.origin).name, message.receivers.size());
        // Messages come in the order of their origins: one search for each.
        if (origin != message.origin) {
            distance = walks_from(problem, lengths, message.origin);
            origin = message.origin;
        }
        total += distance[message.receivers.front()];
    }
    return require(ceil_of_ratio(total, capacity), bound);
}

Refutation judge(const Problem& problem, const Bound& bound, const VertexSet& set)
{
    const Topology& topology = problem.topology;
    std::vector<bool> inside(topology.router_count(), false);
    for (const RouterId router : set.routers) {
        if (router >= inside.size())
            return fmt::format("{} has no router {}", topology.name(), router);
        inside[router] = true;
    }
    const bool entering = set.direction == Direction::entering;
    Wide channels = 0;
    for (const Channel& channel : topology.channels())
        channels += inside[channel.source] != entering && inside[channel.target] == entering ? 1 : 0;
    Wide ports = 0;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const auto& [injection, ejection, name] = topology.processor(id);
        if (inside[injection] != inside[ejection])
            return fmt::format("processor {} injects on one side of the set and is ejected on the other",
                               name);
        if (inside[injection])
            ports += entering ? receive_ports(topology, id, problem.ports)
                              : send_ports(topology, id, problem.ports);
    }
    Wide messages = 0;
    for (const Message& message : problem.collective.messages()) {
        const auto is_across = [&](ProcessorId receiver) {
            return inside[topology.processor(receiver).ejection] == entering;
        };
        messages += inside[topology.processor(message.origin).injection] != entering &&
                            std::any_of(message.receivers.begin(), message.receivers.end(), is_across)
                        ? 1
                        : 0;
    }
    const Wide entries = messages == 0 ? 0 : ceil_of_ratio(messages, std::min(channels, ports));
    const Wide receptions = entering ? receptions_of_set(problem, inside).steps : 0;
    return require(std::max(entries, receptions), bound);
}

Refutation judge(const Problem& problem, const Bound& bound, const PortCount&)
{
    const Topology& topology = problem.topology;
    std::vector<Wide> sent(topology.processor_count());
    std::vector<Wide> received(topology.processor_count());
    for (const Message& message : problem.collective.messages()) {
        sent[message.origin] += 1;
        for (const ProcessorId receiver : message.receivers)
            received[receiver] += 1;
    }
    Wide proved = 0;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        proved = std::max({proved, ceil_of_ratio(sent[id], send_ports(topology, id, problem.ports)),
                           ceil_of_ratio(received[id], receive_ports(topology, id, problem.ports))});
    return require(proved, bound);
}

/// The first step after which each processor can have a message of `origin`, as far as distances say.
std::vector<Wide> earliest_arrivals(const Problem& problem, ProcessorId origin)
{
    const Topology& topology = problem.topology;
    if (problem.switching == Switching::wormhole) {
        std::vector<Wide> arrivals(topology.processor_count(), 1);
        arrivals[origin] = 0;
        return arrivals;
    }
    Edges hops = hops_between_processors(topology, no_lengths(topology));
    for (auto& from : hops)
        for (Edge& edge : from)
            edge.length = 1;
    return shortest(hops, origin);
}

/// Steps until a message can be with all its receivers if all who have it send it through all ports.
Wide steps_to_spread(const Problem& problem, const Message& message)
{
    const auto arrivals = earliest_arrivals(problem, message.origin);
    Wide informed = 1;
    Wide steps = 0;
    while (informed < static_cast<Wide>(message.receivers.size()) + 1) {
        std::vector<unsigned> ports; // of all others that can have it by now
        Wide reached = 0;
        for (ProcessorId id = 0; id < arrivals.size(); ++id) {
            reached += arrivals[id] >= 0 && arrivals[id] <= steps + 1 ? 1 : 0;
            if (id != message.origin && arrivals[id] >= 0 && arrivals[id] <= steps)
                ports.push_back(send_ports(problem.topology, id, problem.ports));
        }
        std::sort(ports.begin(), ports.end(), std::greater<>());
        Wide sent = send_ports(problem.topology, message.origin, problem.ports);
        for (std::size_t i = 0; i < ports.size() && static_cast<Wide>(i) + 1 < informed; ++i)
            sent += ports[i];
        informed = std::min(informed + sent, reached);
        ++steps;
    }
    return steps;
}

Refutation judge(const Problem& problem, const Bound& bound, const MessageGrowth&)
{
    Wide proved = 0;
    for (const Message& message : problem.collective.messages()) {
        proved = std::max(proved, steps_to_spread(problem, message));
        if (proved >= bound.steps)
            break; // one message is enough
    }
    return require(proved, bound);
}

Refutation judge(const Problem& problem, const Bound& bound, const Dominators&)
{
    return require(steps_by_dominators(problem), bound);
}

Refutation judge(const Problem& problem, const Bound& bound, const FarthestReceiver&)
{
    Wide proved = 0;
    std::vector<Wide> arrivals;
    std::optional<ProcessorId> origin;
    for (const Message& message : problem.collective.messages()) {
        if (origin != message.origin) {
            arrivals = earliest_arrivals(problem, message.origin);
            origin = message.origin;
        }
        for (const ProcessorId receiver : message.receivers)
            proved = std::max(proved, arrivals[receiver]);
    }
    return require(proved, bound);
}

Refutation judge(const Problem& problem, const Bound& bound, const InfeasibilityProof& certificate)
{
    if (bound.steps <= 1)
        return require(1, bound);
    if (certificate.proof.empty())
        return fmt::format("no proof is given that {} steps are too few", bound.steps - 1);
    const std::optional<Formula> formula = schedule_formula(problem, bound.steps - 1);
    if (!formula)
        return fmt::format("the formula for {} steps is too large to be checked", bound.steps - 1);
    return refute_proof(*formula, certificate.proof);
}

/// What is a certificate of chunks.
template <class Other>
Refutation judge(const Problem&, const Bound& bound, const Other&)
{
    return fmt::format("a certificate of the kind {} is for chunks", kind_of(bound));
}

} // namespace

Refutation refute(const Problem& problem, const Bound& bound)
{
    check(problem);
    if (bound.measure != Measure::steps)
        return "of messages only steps are bounded";
    if (reduces(problem.collective)) {
        const auto copying = bounding_problem(problem, bound.origin);
        if (!copying && !bound.origin) { // of the sums themselves
            if (const auto* const proof = std::get_if<InfeasibilityProof>(&bound.certificate))
                return judge(problem, bound, *proof);
            if (std::holds_alternative<Receptions>(bound.certificate))
                return require(sum_receptions(problem).steps(), bound);
            if (std::holds_alternative<MessageGrowth>(bound.certificate))
                return require(steps_of_sum_growth(problem), bound);
        }
        if (!copying)
            return "it does not say whose contribution it is a bound for";
        Bound of_copies = bound;
        of_copies.origin = std::nullopt;
        return refute(*copying, of_copies);
    }
    if (bound.origin)
        return fmt::format("{} adds nothing: a bound is not that of one contribution",
                           in_words(problem.collective.kind));
    return std::visit([&](const auto& certificate) { return judge(problem, bound, certificate); },
                      bound.certificate);
}

} // namespace nocturne
