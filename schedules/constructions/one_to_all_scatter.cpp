#include "models/routing/distances.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/flows/network_flow.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// A channel as the scatter sees it; a gather is a scatter with all channels turned round.
struct GraphHop {
    RouterId from;
    RouterId to;
    ChannelId channel;
    unsigned capacity = 1; ///< messages a step
};

struct Scatter {
    RouterId root;
    unsigned ports;
    std::vector<RouterId> ends; ///< by message: where it leaves the network (a gather: enters it)
    bool turned_round;
    std::vector<GraphHop> hops;
};

std::optional<Scatter> as_scatter(const Problem& problem)
{
    const Messages messages = problem.collective.messages();
    // At the other end no more than one message comes to a processor, or goes from it.
    if (!is_personalized(problem.collective) || has_equal_messages(problem.collective))
        return std::nullopt;
    const Topology& topology = problem.topology;
    const ProcessorId origin = messages.front().origin, receiver = messages.front().receivers.front();
    Scatter scatter{};
    if (std::all_of(messages.begin(), messages.end(), [&](const Message& m) { return m.origin == origin; })) {
        scatter.root = topology.processor(origin).injection;
        scatter.ports = send_ports(topology, origin, problem.ports);
    } else if (std::all_of(messages.begin(), messages.end(),
                           [&](const Message& m) { return m.receivers.front() == receiver; })) {
        scatter.root = topology.processor(receiver).ejection;
        scatter.ports = receive_ports(topology, receiver, problem.ports);
        scatter.turned_round = true;
    } else {
        return std::nullopt;
    }
    for (const Message& message : messages)
        scatter.ends.push_back(scatter.turned_round ? topology.processor(message.origin).injection
                                                    : topology.processor(message.receivers.front()).ejection);
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        scatter.hops.push_back(scatter.turned_round ? GraphHop{channel.target, channel.source, id}
                                                    : GraphHop{channel.source, channel.target, id});
    }
    return scatter;
}

/// The scatter in which processors relay, too, where that leads to another router: what they receive and send
/// in one step.
Scatter with_relays(const Problem& problem, Scatter scatter)
{
    const Topology& topology = problem.topology;
    if (forbids_relays(problem))
        return scatter;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const auto& [injection, ejection, name] = topology.processor(id);
        if (injection == ejection)
            continue;
        const unsigned capacity =
            std::min(send_ports(topology, id, problem.ports), receive_ports(topology, id, problem.ports));
        scatter.hops.push_back(scatter.turned_round ? GraphHop{injection, ejection, no_channel, capacity}
                                                    : GraphHop{ejection, injection, no_channel, capacity});
    }
    return scatter;
}

/// The scatter over minimal paths only.
Scatter over_minimal_paths(const Topology& topology, Scatter scatter)
{
    const auto distances =
        scatter.turned_round ? distances_to(topology, scatter.root) : distances_from(topology, scatter.root);
    std::erase_if(scatter.hops, [&](const GraphHop& hop) {
        return distances[hop.from] == unreachable || distances[hop.to] != distances[hop.from] + 1;
    });
    return scatter;
}

/// Flows from the root to the ends of some messages through copies of the network, each of which stands for a
/// number of steps.
class LayeredFlow {
public:
    LayeredFlow(const Scatter& scatter, std::size_t routers, const std::vector<MessageId>& messages,
                const std::vector<unsigned>& steps_of_layers)
        : messages_(static_cast<std::uint32_t>(messages.size())),
          source_(static_cast<std::uint32_t>(steps_of_layers.size() * routers) + messages_),
          hops_(scatter.hops.size())
    {
        const std::uint32_t first_message = source_ - messages_;
        for (std::size_t layer = 0; layer < steps_of_layers.size(); ++layer) {
            const auto first_router = static_cast<std::uint32_t>(layer * routers);
            const auto steps = static_cast<std::int32_t>(steps_of_layers[layer]);
            for (const GraphHop& hop : scatter.hops)
                arcs_.push_back({first_router + hop.from, first_router + hop.to,
                                 steps * static_cast<std::int32_t>(hop.capacity), 1});
            for (std::uint32_t i = 0; i < messages_; ++i)
                arcs_.push_back({first_router + scatter.ends[messages[i]], first_message + i, 1, 0});
            arcs_.push_back(
                {source_, first_router + scatter.root, steps * static_cast<std::int32_t>(scatter.ports), 0});
        }
        for (std::uint32_t i = 0; i < messages_; ++i)
            arcs_.push_back({first_message + i, source_ + 1, 1, 0});
    }

    bool carries_all() const
    {
        MaxFlow flow(source_ + 2);
        for (const CostArc& arc : arcs_)
            flow.add_arc(arc.from, arc.to, arc.capacity);
        return flow.run(source_, source_ + 1) == messages_;
    }

    /// Sends all messages, which it carries, over as few hops as possible.
    void send()
    {
        if (auto sent =
                cheapest_flow(source_ + 2, arcs_, source_, source_ + 1, static_cast<std::int32_t>(messages_)))
            flow_ = std::move(*sent);
        else
            throw std::logic_error("a scatter that has its steps does not come apart into them");
    }
    bool uses_hop(std::size_t hop) const { return flow_[hop] > 0; }
    bool is_in_first_layer(std::size_t message) const { return flow_[hops_ + message] > 0; }

private:
    std::uint32_t messages_;
    std::uint32_t source_; ///< vertex; behind those of routers and messages, before the sink
    std::size_t hops_;
    std::vector<CostArc> arcs_;
    std::vector<std::int32_t> flow_; ///< by arc
};

std::vector<MessageId> all_messages(const Scatter& scatter)
{
    std::vector<MessageId> messages(scatter.ends.size());
    std::iota(messages.begin(), messages.end(), 0U);
    return messages;
}

/// Nothing if no number of steps lets all messages through.
std::optional<unsigned> fewest_steps(const Scatter& scatter, std::size_t routers)
{
    const std::vector<MessageId> messages = all_messages(scatter);
    const auto count = static_cast<unsigned>(messages.size());
    unsigned least = (count + scatter.ports - 1) / scatter.ports, enough = count;
    while (least < enough) {
        const unsigned middle = least + (enough - least) / 2;
        if (LayeredFlow(scatter, routers, messages, {middle}).carries_all())
            enough = middle;
        else
            least = middle + 1;
    }
    // In as many steps as there are messages each goes alone, if it has a way at all.
    if (least == count && !LayeredFlow(scatter, routers, messages, {count}).carries_all())
        return std::nullopt;
    return least;
}

/// Makes the steps of a scatter, first all of them at once, then half and half.
class Partition {
public:
    Partition(const Problem& problem, const Scatter& scatter) : problem_(problem), scatter_(scatter) {}

    /// Nothing if some message has no way.
    std::optional<std::vector<Step>> run() &&
    {
        const auto steps = fewest_steps(scatter_, problem_.topology.router_count());
        if (!steps)
            return std::nullopt;
        split(all_messages(scatter_), *steps);
        return std::move(steps_);
    }

private:
    void split(const std::vector<MessageId>& messages, unsigned steps)
    {
        const std::size_t routers = problem_.topology.router_count();
        if (steps == 1) {
            LayeredFlow flow(scatter_, routers, messages, {1});
            flow.send();
            steps_.push_back(make_step(messages, flow));
            return;
        }
        const unsigned half = steps / 2;
        LayeredFlow flow(scatter_, routers, messages, {steps - half, half});
        flow.send();
        std::vector<MessageId> first, second;
        for (std::size_t i = 0; i < messages.size(); ++i)
            (flow.is_in_first_layer(i) ? first : second).push_back(messages[i]);
        split(first, steps - half);
        split(second, half);
    }

    Step make_step(const std::vector<MessageId>& messages, const LayeredFlow& flow) const
    {
        std::vector<std::vector<GraphHop>> arrivals(problem_.topology.router_count()); // not yet on a path
        for (std::size_t i = 0; i < scatter_.hops.size(); ++i)
            if (flow.uses_hop(i))
                arrivals[scatter_.hops[i].to].push_back(scatter_.hops[i]);
        Step step;
        for (const MessageId id : messages) {
            Path path; // from the end: a flow without cycles leads back to the root
            for (RouterId at = scatter_.ends[id]; at != scatter_.root;) {
                const GraphHop hop = arrivals[at].back();
                arrivals[at].pop_back();
                path.push_back(hop.channel);
                at = hop.from;
            }
            if (!scatter_.turned_round)
                std::reverse(path.begin(), path.end());
            const Message& message = problem_.collective.messages()[id];
            step.push_back({id, message.origin, message.receivers.front(), std::move(path)});
        }
        return step;
    }

    const Problem& problem_;
    const Scatter& scatter_;
    std::vector<Step> steps_;
};

} // namespace

std::optional<unsigned> fewest_scatter_steps(const Problem& problem)
{
    if (auto scatter = as_scatter(problem))
        return fewest_steps(with_relays(problem, std::move(*scatter)), problem.topology.router_count());
    return std::nullopt;
}

std::optional<Schedule> one_to_all_scatter(const Problem& problem)
{
    const auto scatter = as_scatter(problem);
    if (!scatter)
        return std::nullopt;
    Schedule schedule = empty_schedule(problem, "flow");
    const auto make = [&](const Scatter& over) {
        auto steps = Partition(problem, over).run();
        if (steps)
            schedule.steps = std::move(*steps);
        return steps && keeps_transfer_rules(problem, schedule);
    };
    if (make(*scatter) || make(over_minimal_paths(problem.topology, *scatter)))
        return schedule;
    return std::nullopt;
}

} // namespace nocturne
