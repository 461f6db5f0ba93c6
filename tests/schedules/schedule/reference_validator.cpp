#include "tests/schedules/schedule/reference_validator.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace nocturne::test {

namespace {

struct Delivery {
    std::size_t step;
    std::size_t transfer;
    MessageId message;
    ProcessorId source;
    ProcessorId destination;

    auto when() const { return std::pair{step, transfer}; }
};

bool share_a_channel(const Transfer& a, const Transfer& b, const Topology& topology)
{
    for (const ChannelId channel : a.path.value_or(Path{}))
        for (const ChannelId other : b.path.value_or(Path{}))
            if (channel == other && channel < topology.channel_count())
                return true;
    return false;
}

/// The rules on one path.
std::set<Rule> broken_on_the_way(const Transfer& transfer, Switching switching, const Topology& topology)
{
    if (!transfer.path)
        return {Rule::missing_path};
    std::set<Rule> broken;
    const Path& path = *transfer.path;
    const auto known = [&](ChannelId channel) { return channel < topology.channel_count(); };
    if (!std::all_of(path.begin(), path.end(), known)) {
        broken.insert(Rule::unknown_channel);
    } else {
        std::vector<std::pair<RouterId, RouterId>> hops{{~0u, topology.processor(transfer.source).injection}};
        for (const ChannelId channel : path)
            hops.emplace_back(topology.channel(channel).source, topology.channel(channel).target);
        hops.emplace_back(topology.processor(transfer.destination).ejection, ~0u);
        for (std::size_t i = 1; i < hops.size(); ++i)
            if (hops[i - 1].second != hops[i].first)
                broken.insert(Rule::broken_path);
    }
    if (switching == Switching::store_and_forward && path.size() >= 2)
        broken.insert(Rule::not_one_hop);
    std::multiset<RouterId> visited{topology.processor(transfer.source).injection};
    for (const ChannelId channel : path)
        if (known(channel))
            visited.insert(topology.channel(channel).target);
    if (std::set<RouterId>(visited.begin(), visited.end()).size() < visited.size())
        broken.insert(Rule::repeated_channel);
    return broken;
}

/// Hops of a shortest path, by lengthening all walks hop by hop.
std::size_t fewest_hops(const Topology& topology, RouterId from, RouterId to)
{
    std::set<RouterId> reached{from};
    for (std::size_t hops = 0; hops <= topology.router_count(); ++hops) {
        if (reached.count(to) != 0)
            return hops;
        std::set<RouterId> next = reached;
        for (const Channel& channel : topology.channels())
            if (reached.count(channel.source) != 0)
                next.insert(channel.target);
        reached = std::move(next);
    }
    return topology.router_count() + 1;
}

/// The rules of a slack.
std::set<Rule> broken_by_slack(const Transfer& transfer, const Message& message, unsigned slack,
                               const Topology& topology)
{
    std::set<Rule> broken;
    if (message.receivers.size() == 1 &&
        (transfer.source != message.origin || transfer.destination != message.receivers.front()))
        broken.insert(Rule::forbidden_relay);
    if (transfer.path && transfer.path->size() > 1 &&
        transfer.path->size() > fewest_hops(topology, topology.processor(transfer.source).injection,
                                            topology.processor(transfer.destination).ejection) +
                                    slack)
        broken.insert(Rule::too_many_hops);
    return broken;
}

} // namespace

BrokenRules broken_rules(const Schedule& schedule, const Topology& topology)
{
    const Collective& collective = schedule.collective;
    if (collective.processors != topology.processor_count())
        return {{Rule::wrong_topology, std::nullopt}};

    BrokenRules broken;
    std::vector<Delivery> deliveries;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        std::vector<Transfer> judged;
        std::map<ProcessorId, unsigned> sends;
        std::map<ProcessorId, unsigned> receives;
        for (std::size_t t = 0; t < schedule.steps[s].size(); ++t) {
            const Transfer& transfer = schedule.steps[s][t];
            const bool no_processor = transfer.source >= topology.processor_count() ||
                                      transfer.destination >= topology.processor_count();
            const bool no_message = transfer.message >= collective.messages().size();
            const bool to_itself = transfer.source == transfer.destination;
            if (no_processor)
                broken.emplace(Rule::unknown_node, s);
            if (no_message)
                broken.emplace(Rule::unknown_message, s);
            if (to_itself && !no_processor)
                broken.emplace(Rule::self_transfer, s);
            if (no_processor || no_message || to_itself)
                continue;
            for (const Rule rule : broken_on_the_way(transfer, schedule.switching, topology))
                broken.emplace(rule, s);
            if (schedule.slack)
                for (const Rule rule : broken_by_slack(transfer, collective.messages()[transfer.message],
                                                       *schedule.slack, topology))
                    broken.emplace(rule, s);
            for (const Transfer& other : judged)
                if (share_a_channel(transfer, other, topology))
                    broken.emplace(Rule::channel_conflict, s);
            if (++sends[transfer.source] > send_ports(topology, transfer.source, schedule.ports))
                broken.emplace(Rule::send_ports, s);
            if (++receives[transfer.destination] >
                receive_ports(topology, transfer.destination, schedule.ports))
                broken.emplace(Rule::receive_ports, s);
            judged.push_back(transfer);
            deliveries.push_back({s, t, transfer.message, transfer.source, transfer.destination});
        }
    }

    const auto exists = [&](auto condition) {
        return std::any_of(deliveries.begin(), deliveries.end(), condition);
    };
    for (const Delivery& d : deliveries) {
        const ProcessorId origin = collective.messages()[d.message].origin;
        const bool holds = d.source == origin || exists([&](const Delivery& earlier) {
                               return earlier.message == d.message && earlier.destination == d.source &&
                                      earlier.step < d.step;
                           });
        const bool has_already = d.destination == origin || exists([&](const Delivery& earlier) {
                                     return earlier.message == d.message &&
                                            earlier.destination == d.destination && earlier.when() < d.when();
                                 });
        if (!holds)
            broken.emplace(Rule::sender_lacks_message, d.step);
        if (has_already)
            broken.emplace(Rule::redundant_delivery, d.step);
    }
    for (MessageId id = 0; id < collective.messages().size(); ++id)
        for (const ProcessorId receiver : collective.messages()[id].receivers)
            if (!exists([&](const Delivery& d) { return d.message == id && d.destination == receiver; }))
                broken.emplace(Rule::undelivered, std::nullopt);
    return broken;
}

BrokenRules broken_rules(const std::vector<Violation>& violations)
{
    BrokenRules broken;
    for (const Violation& violation : violations)
        broken.emplace(violation.rule, violation.step);
    return broken;
}

} // namespace nocturne::test
