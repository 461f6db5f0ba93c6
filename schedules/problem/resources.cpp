#include "schedules/problem/resources.hpp"

#include <algorithm>

namespace nocturne {
namespace {

bool shares_router(const Topology& topology, ProcessorId id)
{
    // Messages between the processors of a router take no channel, so that their ports limit more than the
    // channels do.
    const auto received = topology.processors_ejected_by(topology.processor(id).injection);
    const auto sent = topology.processors_injecting_into(topology.processor(id).ejection);
    const auto is_other = [=](ProcessorId other) { return other != id; };
    return std::any_of(received.begin(), received.end(), is_other) ||
           std::any_of(sent.begin(), sent.end(), is_other);
}

} // namespace

Resources::Resources(const Problem& problem)
    : channels_(static_cast<ResourceId>(problem.topology.channel_count())),
      processors_(static_cast<ResourceId>(problem.topology.processor_count())), capacity_(channels_, 1)
{
    const Topology& topology = problem.topology;
    for (ProcessorId id = 0; id < processors_; ++id)
        capacity_.push_back(send_ports(topology, id, problem.ports));
    for (ProcessorId id = 0; id < processors_; ++id)
        capacity_.push_back(receive_ports(topology, id, problem.ports));
    is_scarce_.assign(capacity_.size(), true);
    if (problem.ports.is_all_port() && problem.switching == Switching::wormhole)
        for (ProcessorId id = 0; id < processors_; ++id)
            if (!shares_router(topology, id))
                is_scarce_[send_port(id)] = is_scarce_[receive_port(id)] = false;
}

std::vector<ResourceId> Resources::held_by(const Path& path, ProcessorId source,
                                           ProcessorId destination) const
{
    std::vector<ResourceId> held = path;
    for (const ResourceId port : {send_port(source), receive_port(destination)})
        if (is_scarce_[port])
            held.push_back(port);
    return held;
}

} // namespace nocturne
