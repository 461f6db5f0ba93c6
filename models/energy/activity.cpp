#include "models/energy/activity.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

void arrive(RouterActivity& router, const LinkActivity& link)
{
    router.buffer_writes += link.flits;
}

void leave(RouterActivity& router, const LinkActivity& link)
{
    router.buffer_reads += link.flits;
    router.crossbar_traversals += link.flits;
    router.switch_grants += link.flits;
    router.vc_grants += link.packets;
}

std::size_t link_count(const Topology& topology, PortModel ports)
{
    std::size_t links = topology.channel_count();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        links += send_ports(topology, id, ports) + receive_ports(topology, id, ports);
    return links;
}

} // namespace

std::vector<RouterActivity> router_activity(const Topology& topology, PortModel ports,
                                            const Activity& activity)
{
    if (const std::size_t links = link_count(topology, ports); activity.links.size() != links)
        throw std::invalid_argument(fmt::format("{}: activity of {} links; the network has {}",
                                                topology.name(), activity.links.size(), links));
    std::vector<RouterActivity> routers(topology.router_count());
    auto link = activity.links.begin();
    for (ChannelId id = 0; id < topology.channel_count(); ++id, ++link) {
        leave(routers[topology.channel(id).source], *link);
        arrive(routers[topology.channel(id).target], *link);
    }
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        for (unsigned port = 0; port < send_ports(topology, id, ports); ++port)
            arrive(routers[topology.processor(id).injection], *link++);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        for (unsigned port = 0; port < receive_ports(topology, id, ports); ++port)
            leave(routers[topology.processor(id).ejection], *link++);
    return routers;
}

} // namespace nocturne
