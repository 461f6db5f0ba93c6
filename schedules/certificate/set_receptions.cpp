#include "schedules/certificate/set_receptions.hpp"

#include <algorithm>

namespace nocturne {
namespace {

/// What the processors at the set can do.
struct Members {
    std::uint64_t count = 0;
    std::uint64_t receive_ports = 0;
    std::uint64_t most_send_ports = 0; ///< of one of them
};

/// Each step brings as much as it can; from the step on in which all members hold a message, all bring the
/// same.
std::uint64_t fewest_steps(const SetReceptions& set, const Members& members)
{
    std::uint64_t steps = 0;
    std::uint64_t delivered = 0;
    std::uint64_t holders = 0;
    while (delivered < set.owed) {
        const std::uint64_t come =
            std::min(members.receive_ports, set.channels + holders * members.most_send_ports);
        const std::uint64_t deliveries = std::min(set.ports, come);
        if (holders == members.count || deliveries == set.ports)
            return steps + (set.owed - delivered + deliveries - 1) / deliveries;
        delivered += deliveries;
        holders = std::min(members.count, holders + come);
        ++steps;
    }
    return steps;
}

} // namespace

SetReceptions receptions_of_set(const Problem& problem, const std::vector<bool>& inside)
{
    const Topology& topology = problem.topology;
    const auto is_member = [&](ProcessorId id) { return inside[topology.processor(id).ejection]; };
    SetReceptions set;
    std::vector<bool> is_owed(topology.processor_count(), false);
    for (const Message& message : problem.collective.messages()) {
        if (is_member(message.origin))
            return {};
        for (const ProcessorId receiver : message.receivers)
            if (is_member(receiver)) {
                ++set.owed;
                is_owed[receiver] = true;
            }
    }
    for (const Channel& channel : topology.channels())
        set.channels += !inside[channel.source] && inside[channel.target] ? 1 : 0;
    Members members;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        if (is_member(id)) {
            ++members.count;
            members.receive_ports += receive_ports(topology, id, problem.ports);
            members.most_send_ports =
                std::max<std::uint64_t>(members.most_send_ports, send_ports(topology, id, problem.ports));
            set.ports += is_owed[id] ? receive_ports(topology, id, problem.ports) : 0;
        }
    if (set.channels > 0 && set.ports > 0)
        set.steps = fewest_steps(set, members);
    return set;
}

} // namespace nocturne
