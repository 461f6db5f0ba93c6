#include "models/topology/turned.hpp"

#include <utility>

namespace nocturne {

Topology turned(const Topology& topology)
{
    Topology result{topology.name()};
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        result.add_router(topology.router_name(id), topology.position(id));
        if (topology.copies(id))
            result.set_copying(id);
        result.set_part(id, topology.part(id));
    }
    for (const Processor& processor : topology.processors())
        result.add_processor(processor.ejection, processor.injection, processor.name);
    for (Channel channel : topology.channels()) {
        std::swap(channel.source, channel.target);
        result.add_channel(channel);
    }
    if (topology.grid())
        result.set_grid(*topology.grid());
    for (const std::string& name : topology.lost_routers())
        result.retire_router_name(name);
    for (const std::string& name : topology.lost_processors())
        result.retire_processor_name(name);
    result.set_planes({topology.planes().begin(), topology.planes().end()});
    result.set_routers_per_group(topology.routers_per_group());
    result.set_switches(topology.switches());
    result.set_default_ports(topology.default_ports());
    return result;
}

} // namespace nocturne
