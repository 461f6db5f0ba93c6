#include "tests/schedules/schedule/reference_validator.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

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

/// The rules on one path; `held` are the channels of the transfers before it.
std::vector<BrokenRule> broken_on_the_way(const Transfer& transfer, Switching switching,
                                          const Topology& topology, std::set<ChannelId>& held)
{
    if (!transfer.path)
        return {{Rule::missing_path}};
    std::vector<BrokenRule> broken;
    const auto found = [&](Rule rule, std::optional<ChannelId> channel = {}) {
        broken.push_back({.rule = rule, .channel = channel});
    };
    const Path& path = *transfer.path;
    Path known;
    for (const ChannelId channel : path)
        if (channel < topology.channel_count())
            known.push_back(channel);
        else
            found(Rule::unknown_channel, channel);
    if (known == path) {
        std::vector<std::pair<RouterId, RouterId>> hops{{~0u, topology.processor(transfer.source).injection}};
        for (const ChannelId channel : path)
            hops.emplace_back(topology.channel(channel).source, topology.channel(channel).target);
        hops.emplace_back(topology.processor(transfer.destination).ejection, ~0u);
        for (std::size_t i = 1; i < hops.size(); ++i)
            if (hops[i - 1].second != hops[i].first)
                found(Rule::broken_path);
    }
    if (switching == Switching::store_and_forward && path.size() >= 2)
        found(Rule::not_one_hop);
    std::set<ChannelId> taken;
    std::set<RouterId> visited{topology.processor(transfer.source).injection};
    for (const ChannelId channel : known) {
        const bool is_new = taken.insert(channel).second;
        if (!visited.insert(topology.channel(channel).target).second || !is_new)
            found(Rule::repeated_channel, channel);
        if (held.contains(channel))
            found(Rule::channel_conflict, channel);
    }
    held.insert(known.begin(), known.end());
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
std::vector<BrokenRule> broken_by_slack(const Transfer& transfer, const Message& message, unsigned slack,
                                        const Topology& topology)
{
    std::vector<BrokenRule> broken;
    if (message.receivers.size() == 1 &&
        (transfer.source != message.origin || transfer.destination != message.receivers.front()))
        broken.push_back({Rule::forbidden_relay});
    if (transfer.path && transfer.path->size() > 1 &&
        transfer.path->size() > fewest_hops(topology, topology.processor(transfer.source).injection,
                                            topology.processor(transfer.destination).ejection) +
                                    slack)
        broken.push_back({Rule::too_many_hops});
    return broken;
}

} // namespace

BrokenRules broken_rules(const Schedule& schedule, const Topology& topology)
{
    const Collective& collective = schedule.collective;
    if (collective.processors != topology.processor_count())
        return {{Rule::wrong_topology}};

    BrokenRules broken;
    std::vector<Delivery> deliveries;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        std::set<ChannelId> held;
        std::map<ProcessorId, unsigned> sends;
        std::map<ProcessorId, unsigned> receives;
        for (std::size_t t = 0; t < schedule.steps[s].size(); ++t) {
            const Transfer& transfer = schedule.steps[s][t];
            const auto found = [&](Rule rule, std::optional<ProcessorId> processor) {
                broken.insert({.rule = rule, .step = s, .transfer = t, .processor = processor});
            };
            const auto found_all = [&](const std::vector<BrokenRule>& rules) {
                for (BrokenRule one : rules) {
                    one.step = s;
                    one.transfer = t;
                    broken.insert(one);
                }
            };
            bool no_processor = false;
            for (const ProcessorId id : {transfer.source, transfer.destination})
                if (id >= topology.processor_count()) {
                    found(Rule::unknown_node, id);
                    no_processor = true;
                }
            const bool no_message = transfer.message >= collective.messages().size();
            const bool to_itself = transfer.source == transfer.destination;
            if (no_message && !(to_itself && transfer.message == nocturne::no_message))
                found(Rule::unknown_message, {});
            if (to_itself && !no_processor)
                found(Rule::self_transfer, transfer.source);
            if (no_processor || no_message || to_itself)
                continue;
            found_all(broken_on_the_way(transfer, schedule.switching, topology, held));
            if (schedule.slack)
                found_all(broken_by_slack(transfer, collective.messages()[transfer.message], *schedule.slack,
                                          topology));
            if (++sends[transfer.source] > send_ports(topology, transfer.source, schedule.ports))
                found(Rule::send_ports, transfer.source);
            if (++receives[transfer.destination] >
                receive_ports(topology, transfer.destination, schedule.ports))
                found(Rule::receive_ports, transfer.destination);
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
            broken.insert({Rule::sender_lacks_message, d.step, d.transfer, {}, d.source});
        if (has_already)
            broken.insert({Rule::redundant_delivery, d.step, d.transfer, {}, d.destination});
    }
    for (MessageId id = 0; id < collective.messages().size(); ++id)
        for (const ProcessorId receiver : collective.messages()[id].receivers)
            if (!exists([&](const Delivery& d) { return d.message == id && d.destination == receiver; }))
                broken.insert({.rule = Rule::undelivered, .processor = receiver});
    return broken;
}

BrokenRules broken_rules(const std::vector<Violation>& violations)
{
    BrokenRules broken;
    for (const Violation& violation : violations)
        broken.insert(
            {violation.rule, violation.step, violation.transfer, violation.channel, violation.processor});
    return broken;
}

} // namespace nocturne::test
