#include "models/topology/link_network.hpp"

#include "models/topology/input_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace nocturne {

LinkNetwork::LinkNetwork(std::string name, std::uint32_t processors)
    : name_(std::move(name)), processors_(processors), kinds_(processors, NodeKind::processor),
      names_(processors), from_(processors), to_(processors)
{
    for (NodeId node = 0; node < processors; ++node)
        names_[node] = std::to_string(node);
}

NodeId LinkNetwork::add_switch(NodeKind kind, std::string name)
{
    if (kind == NodeKind::processor)
        throw std::invalid_argument(fmt::format("{}: a processor is no switch", name_));
    const auto node = static_cast<NodeId>(kinds_.size());
    kinds_.push_back(kind);
    names_.push_back(name.empty() ? std::to_string(node) : std::move(name));
    from_.emplace_back();
    to_.emplace_back();
    return node;
}

LinkId LinkNetwork::add_link(const NetworkLink& link)
{
    if (link.source >= node_count() || link.target >= node_count())
        throw std::invalid_argument(
            fmt::format("{}: link {}>{} joins a node that does not exist", name_, link.source, link.target));
    if (link.source == link.target)
        throw std::invalid_argument(fmt::format("{}: link from node {} to itself", name_, link.source));
    if (link.bytes_per_cycle == 0)
        throw std::invalid_argument(
            fmt::format("{}: link {}>{} carries nothing", name_, link.source, link.target));
    const auto id = static_cast<LinkId>(links_.size());
    unit_ = links_.empty() ? link.bytes_per_cycle : std::gcd(unit_, link.bytes_per_cycle);
    links_.push_back(link);
    from_[link.source].push_back(id);
    to_[link.target].push_back(id);
    return id;
}

LinkId LinkNetwork::add_links(NodeId a, NodeId b, std::uint64_t bytes_per_cycle, std::uint64_t latency_cycles)
{
    const LinkId first = add_link({a, b, bytes_per_cycle, latency_cycles});
    add_link({b, a, bytes_per_cycle, latency_cycles});
    return first;
}

namespace {

/// The processor that is one node with the router, if there is one.
std::optional<ProcessorId> only_processor(const Topology& topology, RouterId router)
{
    const auto injecting = topology.processors_injecting_into(router);
    const auto ejected = topology.processors_ejected_by(router);
    if (injecting.size() != 1 || ejected.size() != 1 || injecting[0] != ejected[0])
        return std::nullopt;
    return injecting[0];
}

} // namespace

bool has_open_widths(const Topology& topology)
{
    for (const Channel& channel : topology.channels())
        if (channel.width_bytes == 0)
            return true;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        if (only_processor(topology, topology.processor(id).injection) != id)
            return true;
    return false;
}

LinkNetwork link_network_of(const Topology& topology, const LinkDefaults& defaults)
{
    LinkNetwork network{topology.name(), static_cast<std::uint32_t>(topology.processor_count())};
    for (RouterId router = 0; topology.has_router_parts() && router < topology.router_count(); ++router)
        if (topology.part(router).injection_rate != 0 || topology.part(router).ejection_rate != 0)
            InputLog::remark(fmt::format("{}: bounds and times of schedules do not count the rates of its "
                                         "interfaces; simulations do",
                                         topology.name()));
    std::vector<NodeId> node_of_router(topology.router_count());
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const std::string& name = topology.processor(id).name;
        if (!name.empty())
            network.set_node_name(id, name);
    }
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        if (const auto processor = only_processor(topology, router))
            node_of_router[router] = *processor;
        else
            node_of_router[router] = network.add_switch(
                topology.copies(router) ? NodeKind::copying_switch : NodeKind::plain_switch,
                topology.router_name(router).empty() ? fmt::format("router {}", router)
                                                     : topology.router_name(router));
    }
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        network.add_link({node_of_router[channel.source], node_of_router[channel.target],
                          channel.width_bytes == 0 ? defaults.bytes_per_cycle : channel.width_bytes,
                          channel.latency_cycles, id});
    }
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const Processor& processor = topology.processor(id);
        const NodeId in = node_of_router[processor.injection];
        const NodeId out = node_of_router[processor.ejection];
        if (in == id)
            continue;
        network.add_link({id, in, defaults.bytes_per_cycle, defaults.local_latency_cycles});
        network.add_link({out, id, defaults.bytes_per_cycle, defaults.local_latency_cycles});
    }
    return network;
}

namespace {

unsigned channel_figure(const LinkNetwork& network, std::uint64_t figure)
{
    if (figure > std::numeric_limits<unsigned>::max())
        throw std::invalid_argument(
            fmt::format("{}: no channel has {} bytes a cycle or cycles of latency", network.name(), figure));
    return static_cast<unsigned>(figure);
}

} // namespace

Topology topology_of(const LinkNetwork& network)
{
    Topology topology(network.name());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const std::string& name = network.node_name(node);
        topology.add_router(topology.find_router(name) ? std::string() : name);
        if (network.kind(node) == NodeKind::copying_switch)
            topology.set_copying(node);
        if (network.kind(node) == NodeKind::processor)
            topology.add_processor(node, node, name);
    }
    for (const NetworkLink& link : network.links())
        topology.add_channel(Channel{
            .source = link.source,
            .target = link.target,
            .latency_cycles = channel_figure(network, std::max<std::uint64_t>(link.latency_cycles, 1)),
            .width_bytes = channel_figure(network, link.bytes_per_cycle)});
    return topology;
}

std::optional<LinkId> only_link(const LinkNetwork& network, NodeId source, NodeId destination)
{
    std::optional<LinkId> found;
    if (source >= network.node_count())
        return found;
    for (const LinkId link : network.links_from(source))
        if (network.link(link).target == destination) {
            if (found)
                return std::nullopt;
            found = link;
        }
    return found;
}

std::string describe_link(const LinkNetwork& network, LinkId id)
{
    const NetworkLink& link = network.link(id);
    return fmt::format("{}>{}", network.node_name(link.source), network.node_name(link.target));
}

} // namespace nocturne
