#include "models/network/link_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

unsigned checked_vcs(const Topology& topology, const HardwareConfig& config, const VcClasses& vc_classes)
{
    config.validate();
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const std::uint64_t cycles = std::uint64_t{topology.channel(id).latency_cycles} * config.link_cycles;
        if (cycles > longest_latency_cycles)
            throw std::invalid_argument(fmt::format("{}: {}: a latency of {} cycles; at most {} are possible",
                                                    topology.name(), describe_channel(topology, id), cycles,
                                                    longest_latency_cycles));
    }
    require_vcs(topology, config, vc_classes);
    const unsigned most = config.most_vcs_of(topology);
    if (config.allocation.input_speedup > most)
        throw std::invalid_argument(fmt::format("{}: input_speedup = {}: no link has more than {} virtual "
                                                "channels",
                                                topology.name(), config.allocation.input_speedup, most));
    return most;
}

} // namespace

void require_vcs(const Topology& topology, const HardwareConfig& config, const VcClasses& vc_classes)
{
    if (topology.channel_count() == 0 && vc_classes > config.vcs)
        throw std::invalid_argument(
            fmt::format("{}: the routing needs {} virtual channels, the hardware has {}", topology.name(),
                        vc_classes.count(), config.vcs));
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const unsigned vcs = config.vcs_of(topology, topology.channel(id));
        if (vcs >= vc_classes.count())
            continue;
        if (vcs == config.vcs && !topology.has_router_parts() && topology.channel(id).vcs == 0)
            throw std::invalid_argument(
                fmt::format("{}: the routing needs {} virtual channels, the hardware has {}", topology.name(),
                            vc_classes.count(), config.vcs));
        if (const unsigned used = vc_classes.used(id); vcs < used)
            throw std::invalid_argument(fmt::format("{}: the routing needs {} virtual channels, {} has {}",
                                                    topology.name(), used, describe_channel(topology, id),
                                                    vcs));
    }
}

LinkPlan::LinkPlan(const Topology& topology, const HardwareConfig& config, PortModel ports,
                   const VcClasses& vc_classes)
    : topology_(&topology), vcs_(checked_vcs(topology, config, vc_classes)), vc_classes_(vc_classes),
      interface_cycles_(config.interface_cycles), pipeline_(config.pipeline_of(topology)),
      most_router_cycles_(pipeline_.cycles())
{
    const auto link = [&](unsigned latency, unsigned occupied, unsigned departure, unsigned places,
                          const Pipeline& behind, const FlitRate& rate = {}, unsigned pool = 0) {
        add_link({departure + latency + occupied - 1, 1 + latency + config.credit_cycles, places, pool,
                  occupied, departure, rate},
                 behind.head_cycles());
    };
    const auto departure = [&](RouterId router) {
        return 1 + config.pipeline_of(topology, router).switch_traversal;
    };
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id)
        most_router_cycles_ = std::max(most_router_cycles_, config.router_cycles_of(topology, id));
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        for (const VcClasses::Range& range : vc_classes.shares(id, config.vcs_of(topology, channel)))
            groups_.push_back({links() * vcs_ + range.first, range.count});
        link(channel.latency_cycles * config.link_cycles, config.cycles_per_flit(channel),
             departure(channel.source), config.buffer_of(topology, channel),
             config.pipeline_of(topology, channel.target), {}, config.pool_of(topology, channel));
    }
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        injection_links_.push_back(links());
        const RouterId router = topology.processor(id).injection;
        for (unsigned port = 0; port < send_ports(topology, id, ports); ++port)
            link(config.link_cycles, 1, 0, config.injection_buffer_of(topology, router),
                 config.pipeline_of(topology, router), config.injection_rate_of(topology, router));
    }
    injection_links_.push_back(links());
    // The interface takes a flit at once: the credits have only to cover the way there and back.
    first_ejection_group_ = groups();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        ejection_links_.push_back(links());
        const RouterId router = topology.processor(id).ejection;
        const unsigned count = receive_ports(topology, id, ports);
        if (count > 1 && topology.part(router).packets != 0)
            throw std::invalid_argument(
                fmt::format("{}: router {}: packets={}: of one ejection link; processor {} has {}",
                            topology.name(), topology.router_name(router), topology.part(router).packets,
                            topology.processor(id).name, count));
        groups_.push_back({links() * vcs_, ejection_vcs(config.ejection_vcs_of(topology, router), count)});
        for (unsigned port = 0; port < count; ++port)
            link(config.link_cycles, 1, departure(router), config.ejection_credits_of(topology, router),
                 config.pipeline_of(topology, router), config.ejection_rate_of(topology, router));
    }
    ejection_links_.push_back(links());
    if (topology.has_router_parts())
        set_clocks();
}

void LinkPlan::set_clocks()
{
    std::vector<ClockRatio> clocks(links());
    for (ChannelId id = 0; id < topology_->channel_count(); ++id)
        clocks[id] = topology_->part(topology_->channel(id).source).clock;
    for (ProcessorId id = 0; id < topology_->processor_count(); ++id)
        for (std::uint32_t link = ejection_links_[id]; link < ejection_links_[id + 1]; ++link)
            clocks[link] = topology_->part(topology_->processor(id).ejection).clock;
    if (!std::ranges::all_of(clocks, [](const ClockRatio& clock) { return clock.is_base(); }))
        clocks_ = std::move(clocks);
}

void LinkPlan::add_link(const LinkTiming& timing, unsigned head_cycles)
{
    const auto found = std::find(timings_.begin(), timings_.end(), timing);
    timing_of_.push_back(static_cast<std::uint32_t>(found - timings_.begin()));
    if (found == timings_.end())
        timings_.push_back(timing);
    is_full_rate_ = is_full_rate_ && timing.cycles_per_flit == 1 && timing.rate.is_full() &&
                    timing.buffer_flits >= timing.flit_cycles + timing.credit_cycles + head_cycles;
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
