#include "models/hardware/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

/// Where every link starts and ends, before any module exists.
struct Network::Plan {
    struct End {
        std::uint32_t owner; ///< router or processor
        unsigned port;
    };
    std::vector<End> from; ///< by link
    std::vector<End> to;   ///< by link
    std::vector<LinkConfig> links;
    std::vector<RouterConfig> routers;
    std::vector<NetworkInterfaceConfig> interfaces;
};

namespace {

const HardwareConfig& validated(const HardwareConfig& config)
{
    config.validate();
    return config;
}

} // namespace

Network::Network(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
                 PortModel ports, unsigned vc_classes)
    : sc_module(name), topology_(topology), config_(validated(config)), vc_classes_(vc_classes),
      domain_("clock", sc_core::sc_time(config.cycle_ns, sc_core::SC_NS))
{
    if (vc_classes > config.vcs)
        throw std::invalid_argument(
            fmt::format("{}: the routing needs {} virtual channels, the hardware has {}", topology.name(),
                        vc_classes, config.vcs));
    const Pipeline& pipeline = config_.pipeline_of(topology);

    Plan plan;
    plan.routers.resize(topology.router_count());
    into_.resize(topology.router_count());
    out_of_.resize(topology.router_count());
    for (RouterConfig& router : plan.routers) {
        router.pipeline = pipeline;
        router.vcs = config_.vcs;
    }
    const auto buffer_for = [&](unsigned latency) {
        return config_.buffer_flits != 0 ? config_.buffer_flits
                                         : config_.full_rate_buffer_flits(pipeline, latency);
    };
    const auto add_input = [&](RouterId router, std::uint32_t link, unsigned buffer) {
        plan.to.push_back({router, static_cast<unsigned>(plan.routers[router].buffer_flits.size())});
        plan.routers[router].buffer_flits.push_back(buffer);
        into_[router].push_back(link);
        ends_.push_back({router, plan.to.back().port});
    };
    const auto add_output = [&](RouterId router, std::uint32_t link, RouterConfig::Output output) {
        plan.from.push_back({router, static_cast<unsigned>(plan.routers[router].outputs.size())});
        plan.routers[router].outputs.push_back(output);
        out_of_[router].push_back(link);
    };

    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        const unsigned latency = channel.latency_cycles * config_.link_cycles;
        const unsigned occupied = config_.cycles_per_flit(channel);
        const unsigned buffer = buffer_for(latency);
        plan.links.push_back({id, latency, occupied, config_.credit_cycles, 1 + pipeline.switch_traversal});
        add_output(channel.source, id, {buffer, occupied});
        add_input(channel.target, id, buffer);
        output_of_channel_.push_back(plan.from.back().port);
    }
    // Classes share the virtual channels of each link equally; group = output * classes + class.
    for (RouterConfig& router : plan.routers)
        for (unsigned output = 0; output < router.outputs.size(); ++output)
            for (unsigned c = 0; c < vc_classes; ++c) {
                const unsigned first = c * config_.vcs / vc_classes;
                const unsigned next = (c + 1) * config_.vcs / vc_classes;
                router.groups.push_back({output * config_.vcs + first, next - first});
            }
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const Processor& processor = topology.processor(id);
        const unsigned inject = send_ports(topology, id, ports);
        plan.interfaces.push_back({inject, receive_ports(topology, id, ports), config_.vcs,
                                   buffer_for(config_.link_cycles), config_.interface_cycles});
        injection_links_.push_back(static_cast<std::uint32_t>(plan.links.size()));
        for (unsigned port = 0; port < inject; ++port) {
            const auto link = static_cast<std::uint32_t>(plan.links.size());
            plan.links.push_back({link, config_.link_cycles, 1, config_.credit_cycles, 0});
            plan.from.push_back({id, port});
            add_input(processor.injection, link, buffer_for(config_.link_cycles));
        }
    }
    injection_links_.push_back(static_cast<std::uint32_t>(plan.links.size()));
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const RouterId router = topology.processor(id).ejection;
        RouterConfig& at = plan.routers[router];
        const auto first = static_cast<std::uint32_t>(at.outputs.size()) * config_.vcs;
        ejection_links_.push_back(static_cast<std::uint32_t>(plan.links.size()));
        for (unsigned port = 0; port < plan.interfaces[id].eject_ports; ++port) {
            const auto link = static_cast<std::uint32_t>(plan.links.size());
            plan.links.push_back(
                {link, config_.link_cycles, 1, config_.credit_cycles, 1 + pipeline.switch_traversal});
            // The interface takes a flit at once: the credits have only to cover the way there and back.
            const unsigned credits =
                std::max(config_.buffer_flits, config_.full_rate_buffer_flits(pipeline, config_.link_cycles));
            add_output(router, link, {credits, 1});
            plan.to.push_back({id, port});
            ends_.push_back({std::nullopt, port});
        }
        ejection_group_.push_back(static_cast<std::uint32_t>(at.groups.size()));
        at.groups.push_back({first, static_cast<std::uint32_t>(at.outputs.size()) * config_.vcs - first});
    }
    ejection_links_.push_back(static_cast<std::uint32_t>(plan.links.size()));

    build_routers(plan);
    build_interfaces(plan);
    build_links(plan);
}

void Network::build_routers(const Plan& plan)
{
    for (RouterId id = 0; id < plan.routers.size(); ++id)
        routers_.push_back(std::make_unique<Router>(fmt::format("router_{}", id).c_str(), domain_, packets_,
                                                    plan.routers[id]));
}

void Network::build_interfaces(const Plan& plan)
{
    for (ProcessorId id = 0; id < plan.interfaces.size(); ++id)
        interfaces_.push_back(std::make_unique<NetworkInterface>(fmt::format("interface_{}", id).c_str(),
                                                                 domain_, packets_, plan.interfaces[id]));
}

void Network::build_links(const Plan& plan)
{
    for (std::uint32_t id = 0; id < plan.links.size(); ++id) {
        links_.push_back(std::make_unique<Link>(fmt::format("link_{}", id).c_str(), domain_, plan.links[id]));
        Link& link = *links_.back();
        const Plan::End& from = plan.from[id];
        const Plan::End& to = plan.to[id];
        const bool is_injection = id >= injection_links_.front() && id < injection_links_.back();
        const bool is_ejection = id >= ejection_links_.front();
        (is_injection ? interfaces_[from.owner]->out[from.port] : routers_[from.owner]->out[from.port])
            .bind(link);
        (is_ejection ? interfaces_[to.owner]->in[to.port] : routers_[to.owner]->in[to.port]).bind(link);
    }
}

std::string Network::link_name(std::uint32_t link) const
{
    if (link < topology_.channel_count())
        return fmt::format("{}->{}", topology_.router_name(topology_.channel(link).source),
                           topology_.router_name(topology_.channel(link).target));
    const bool is_injection = link < injection_links_.back();
    const auto& firsts = is_injection ? injection_links_ : ejection_links_;
    const auto id =
        static_cast<ProcessorId>(std::upper_bound(firsts.begin(), firsts.end(), link) - firsts.begin() - 1);
    const Processor& processor = topology_.processor(id);
    return is_injection ? fmt::format("P{}->{}", processor.name, topology_.router_name(processor.injection))
                        : fmt::format("{}->P{}", topology_.router_name(processor.ejection), processor.name);
}

void Network::check_route(ProcessorId source, ProcessorId destination, const Route& route) const
{
    if (destination >= topology_.processor_count())
        throw std::invalid_argument(
            fmt::format("{}: processor {} does not exist", topology_.name(), destination));
    RouterId at = topology_.processor(source).injection;
    for (const Hop& hop : route) {
        if (hop.channel >= topology_.channel_count() || hop.vc_class >= vc_classes_ ||
            topology_.channel(hop.channel).source != at)
            throw std::invalid_argument(fmt::format(
                "{}: route from processor {} to {}: no {} (class {}) at router {}", topology_.name(), source,
                destination, describe_channel(topology_, hop.channel), hop.vc_class, at));
        at = topology_.channel(hop.channel).target;
    }
    if (at != topology_.processor(destination).ejection)
        throw std::invalid_argument(fmt::format("{}: route from processor {} to {} ends at router {}",
                                                topology_.name(), source, destination, at));
}

PacketId Network::make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                              const Route& route)
{
    const PacketId id = packets_.acquire();
    Packet& packet = packets_[id];
    packet.source = source;
    packet.destination = destination;
    packet.flits = flits;
    for (const Hop& hop : route)
        packet.outputs.push_back(output_of_channel_[hop.channel] * vc_classes_ + hop.vc_class);
    packet.outputs.push_back(ejection_group_[destination]);
    return id;
}

std::uint64_t Network::flit_hops() const
{
    std::uint64_t sum = 0;
    for (const auto& router : routers_)
        sum += router->flits();
    return sum;
}

std::uint64_t Network::blocked_cycles() const
{
    std::uint64_t sum = 0;
    for (const auto& router : routers_)
        sum += router->blocked_cycles();
    for (const auto& interface : interfaces_)
        sum += interface->blocked_cycles();
    return sum;
}

} // namespace nocturne
