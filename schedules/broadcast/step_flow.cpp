#include "schedules/broadcast/step_flow.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace nocturne {

StepNetwork::StepNetwork(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const auto routers = static_cast<Node>(topology.router_count());
    const Node ends =
        problem.switching == Switching::wormhole ? 0 : routers; // from where a router starts to where it ends
    node_count_ = routers + ends;
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        arcs_.push_back({topology.channel(id).source, topology.channel(id).target + ends, 1, id});
    if (ends > 0)
        for (Node router = 0; router < routers; ++router)
            arcs_.push_back({router, router + ends, static_cast<std::uint32_t>(topology.processor_count()),
                             std::nullopt});
    arcs_at_.resize(node_count_);
    for (std::uint32_t arc = 0; arc < arcs_.size(); ++arc) {
        arcs_at_[arcs_[arc].from].push_back(arc);
        arcs_at_[arcs_[arc].to].push_back(arc);
    }
    for (ProcessorId p = 0; p < topology.processor_count(); ++p) {
        injection_.push_back(topology.processor(p).injection);
        ejection_.push_back(topology.processor(p).ejection + ends);
        send_ports_.push_back(nocturne::send_ports(topology, p, problem.ports));
    }
}

StepFlow::StepFlow(const StepNetwork& network, const std::vector<bool>& has_message)
    : network_(&network), can_send_(has_message.begin(), has_message.end()),
      receives_(network.processor_count()), supply_(network.node_count()), flow_(network.arcs().size())
{
    for (ProcessorId p = 0; p < network.processor_count(); ++p)
        if (can_send_[p])
            supply_[network.injection(p)] += network.send_ports(p);
    supply_left_ = supply_;
}

bool StepFlow::receive(ProcessorId p)
{
    if (can_send_[p]) {
        can_send_[p] = 0;
        const StepNetwork::Node node = network_->injection(p);
        const std::uint32_t sent = supply_[node] - supply_left_[node];
        supply_[node] -= network_->send_ports(p);
        const std::uint32_t replaced = sent - std::min(sent, supply_[node]);
        supply_left_[node] = supply_[node] - (sent - replaced);
        for (std::uint32_t unit = 0; unit < replaced; ++unit)
            if (!bring_unit(node))
                return false;
    }
    receives_[p] = 1;
    return bring_unit(network_->ejection(p));
}

/// One more unit into a node: backwards over arcs with room, or forwards over arcs whose flow can go, to a
/// node with supply.
bool StepFlow::bring_unit(StepNetwork::Node to)
{
    constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
    constexpr std::uint32_t root = unseen - 1;
    const auto& arcs = network_->arcs();
    std::vector<std::uint32_t> next(network_->node_count(), unseen); // arc towards `to`
    std::vector<StepNetwork::Node> reached{to};
    next[to] = root;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        StepNetwork::Node node = reached[i];
        if (supply_left_[node] > 0) {
            --supply_left_[node];
            while (next[node] != root) {
                const std::uint32_t arc = next[node];
                const bool forwards = arcs[arc].from == node;
                flow_[arc] += forwards ? 1 : -1;
                node = forwards ? arcs[arc].to : arcs[arc].from;
            }
            return true;
        }
        for (const std::uint32_t arc : network_->arcs_at(node)) {
            const bool into = arcs[arc].to == node;
            const StepNetwork::Node other = into ? arcs[arc].from : arcs[arc].to;
            const bool usable = into ? flow_[arc] < arcs[arc].capacity : flow_[arc] > 0;
            if (next[other] != unseen || !usable)
                continue;
            next[other] = arc;
            reached.push_back(other);
        }
    }
    return false;
}

Step StepFlow::transfers() const
{
    const auto& arcs = network_->arcs();
    std::vector<std::uint32_t> flow = flow_;
    std::vector<std::vector<ProcessorId>> receivers(network_->node_count());
    for (ProcessorId p = 0; p < network_->processor_count(); ++p)
        if (receives_[p])
            receivers[network_->ejection(p)].push_back(p);
    std::vector<std::uint32_t> units(network_->node_count()); // that start there
    for (StepNetwork::Node node = 0; node < network_->node_count(); ++node)
        units[node] = supply_[node] - supply_left_[node];
    Step step;
    for (ProcessorId sender = 0; sender < network_->processor_count(); ++sender) {
        const StepNetwork::Node start = network_->injection(sender);
        if (!can_send_[sender])
            continue;
        for (std::uint32_t port = 0; port < network_->send_ports(sender) && units[start] > 0; ++port) {
            --units[start];
            std::vector<std::uint32_t> way;           // arcs
            std::vector<StepNetwork::Node> at{start}; // nodes: one more
            while (receivers[at.back()].empty()) {
                const auto& here = network_->arcs_at(at.back());
                const auto arc = *std::find_if(here.begin(), here.end(), [&](std::uint32_t a) {
                    return arcs[a].from == at.back() && flow[a] > 0;
                });
                --flow[arc];
                const auto seen = std::find(at.begin(), at.end(), arcs[arc].to);
                if (seen == at.end()) {
                    way.push_back(arc);
                    at.push_back(arcs[arc].to);
                } else { // a cycle: nothing is lost without it
                    way.resize(static_cast<std::size_t>(seen - at.begin()));
                    at.resize(way.size() + 1);
                }
            }
            Path path;
            for (const std::uint32_t arc : way)
                if (arcs[arc].channel)
                    path.push_back(*arcs[arc].channel);
            step.push_back({0, sender, receivers[at.back()].back(), std::move(path)});
            receivers[at.back()].pop_back();
        }
    }
    return step;
}

} // namespace nocturne
