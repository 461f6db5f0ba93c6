#include "models/network/link_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

unsigned checked_vcs(const Topology& topology, const HardwareConfig& config, unsigned vc_classes)
{
    config.validate();
    if (vc_classes > config.vcs)
        throw std::invalid_argument(
            fmt::format("{}: the routing needs {} virtual channels, the hardware has {}", topology.name(),
                        vc_classes, config.vcs));
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const std::uint64_t cycles = std::uint64_t{topology.channel(id).latency_cycles} * config.link_cycles;
        if (cycles > longest_latency_cycles)
            throw std::invalid_argument(fmt::format("{}: {}: a latency of {} cycles; at most {} are possible",
                                                    topology.name(), describe_channel(topology, id), cycles,
                                                    longest_latency_cycles));
    }
    return config.vcs;
}

} // namespace

LinkPlan::LinkPlan(const Topology& topology, const HardwareConfig& config, PortModel ports,
                   const VcClasses& vc_classes)
    : topology_(&topology), vcs_(checked_vcs(topology, config, vc_classes)), vc_classes_(vc_classes),
      interface_cycles_(config.interface_cycles), pipeline_(config.pipeline_of(topology))
{
    const auto buffer = [&](unsigned latency) { return config.buffer_depth(pipeline_, latency); };
    const auto link = [&](unsigned latency, unsigned occupied, unsigned departure, unsigned places) {
        add_link({departure + latency + occupied - 1, 1 + latency + config.credit_cycles, places, occupied});
    };
    const unsigned departure = 1 + pipeline_.switch_traversal;
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const unsigned latency = topology.channel(id).latency_cycles * config.link_cycles;
        for (const VcClasses::Range& range : vc_classes.shares(id, vcs_))
            groups_.push_back({links() * vcs_ + range.first, range.count});
        link(latency, config.cycles_per_flit(topology.channel(id)), departure, buffer(latency));
    }
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        injection_links_.push_back(links());
        for (unsigned port = 0; port < send_ports(topology, id, ports); ++port)
            link(config.link_cycles, 1, 0, buffer(config.link_cycles));
    }
    injection_links_.push_back(links());
    // The interface takes a flit at once: the credits have only to cover the way there and back.
    const unsigned credits =
        std::max(config.buffer_flits, config.full_rate_buffer_flits(pipeline_, config.link_cycles));
    first_ejection_group_ = groups();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        ejection_links_.push_back(links());
        const unsigned count = receive_ports(topology, id, ports);
        groups_.push_back({links() * vcs_, count * vcs_});
        for (unsigned port = 0; port < count; ++port)
            link(config.link_cycles, 1, departure, credits);
    }
    ejection_links_.push_back(links());
}

void LinkPlan::add_link(const LinkTiming& timing)
{
    const auto found = std::find(timings_.begin(), timings_.end(), timing);
    timing_of_.push_back(static_cast<std::uint32_t>(found - timings_.begin()));
    if (found != timings_.end())
        return;
    timings_.push_back(timing);
    is_full_rate_ =
        is_full_rate_ && timing.cycles_per_flit == 1 &&
        timing.buffer_flits >= timing.flit_cycles + timing.credit_cycles + pipeline_.head_cycles();
}

std::vector<std::uint32_t> LinkPlan::links_into(RouterId router) const
{
    const auto channels = topology_->channels_to(router);
    std::vector<std::uint32_t> links(channels.begin(), channels.end());
    for (const ProcessorId id : topology_->processors_injecting_into(router))
        for (std::uint32_t link = injection_links_[id]; link < injection_links_[id + 1]; ++link)
            links.push_back(link);
    return links;
}

std::vector<std::uint32_t> LinkPlan::links_out_of(RouterId router) const
{
    const auto channels = topology_->channels_from(router);
    std::vector<std::uint32_t> links(channels.begin(), channels.end());
    for (const ProcessorId id : topology_->processors_ejected_by(router))
        for (std::uint32_t link = ejection_links_[id]; link < ejection_links_[id + 1]; ++link)
            links.push_back(link);
    return links;
}

std::string LinkPlan::link_name(std::uint32_t link) const
{
    if (link < topology_->channel_count())
        return fmt::format("{}->{}", topology_->router_name(topology_->channel(link).source),
                           topology_->router_name(topology_->channel(link).target));
    const auto& firsts = is_injection(link) ? injection_links_ : ejection_links_;
    const auto id =
        static_cast<ProcessorId>(std::upper_bound(firsts.begin(), firsts.end(), link) - firsts.begin() - 1);
    const Processor& processor = topology_->processor(id);
    return is_injection(link)
               ? fmt::format("P{}->{}", processor.name, topology_->router_name(processor.injection))
               : fmt::format("{}->P{}", topology_->router_name(processor.ejection), processor.name);
}

} // namespace nocturne
