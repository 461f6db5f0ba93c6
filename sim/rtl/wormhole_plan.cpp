#include "sim/rtl/wormhole_plan.hpp"

#include "sim/rtl/rtl_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr unsigned least_flit_bytes = 4;

void refuse(const Topology& topology, const std::string& reason)
{
    throw std::invalid_argument(
        fmt::format("{}: no wormhole network in hardware: {}", topology.name(), reason));
}

void check_wormhole(const Topology& topology, const HardwareConfig& hardware, const Routing& routing)
{
    hardware.validate();
    if (routing.adaptive())
        refuse(topology, fmt::format("with routing {} routers decide where packets go", routing.name));
    if (!routing.in_order())
        refuse(topology,
               fmt::format("routing {} draws its routes, and interfaces have a table", routing.name));
    if (routing.vc_classes > hardware.vcs)
        refuse(topology, fmt::format("routing {} needs {} virtual channels, the hardware has {}",
                                     routing.name, routing.vc_classes.count(), hardware.vcs));
    if (hardware.allocation != Allocation{})
        refuse(topology, "allocators other than one iteration of islip, round-robin, and input speedup");
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (hardware.pipeline_of(topology, id).speculation != Speculation::none)
            refuse(topology, "a speculative pipeline");
    if (const std::string own =
            own_property(topology, {"pool", "vcs", "packets", "arbiter", "clock", "injection", "ejection"});
        !own.empty())
        refuse(topology, own);
    if (hardware.multicast != Multicast::unicasts)
        refuse(topology, "routers that copy multicasts");
    if (hardware.flit_bytes < least_flit_bytes)
        refuse(topology, fmt::format("flits of {} bytes; the bench needs {} to number them",
                                     hardware.flit_bytes, least_flit_bytes));
}

/// The number of the virtual channels of a range among the plan's classes.
std::uint32_t class_of(WormholePlan& plan, const VcClasses::Range& range)
{
    std::vector<bool> mask(plan.vcs);
    std::fill_n(mask.begin() + range.first, range.count, true);
    const auto known = std::find(plan.class_vcs.begin(), plan.class_vcs.end(), mask);
    const auto number = static_cast<std::uint32_t>(known - plan.class_vcs.begin());
    if (known == plan.class_vcs.end())
        plan.class_vcs.push_back(std::move(mask));
    return number;
}

} // namespace

WormholePlan plan_wormhole(const Topology& topology, const HardwareConfig& hardware, const Routing& routing)
{
    check_wormhole(topology, hardware, routing);
    WormholePlan plan;
    plan.network = plan_network(topology, hardware, one_port, routing);
    plan.vcs = hardware.vcs;
    plan.vc_bits = bits_for(hardware.vcs - 1);
    std::vector<std::vector<std::uint32_t>> classes(topology.channel_count()); // by channel and class there
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        for (const VcClasses::Range& range : routing.vc_classes.shares(id, hardware.vcs))
            classes[id].push_back(class_of(plan, range));
    const std::uint32_t every_vc = class_of(plan, {0, hardware.vcs});
    plan.class_bits = plan.class_vcs.size() == 1 ? 0 : bits_for(plan.class_vcs.size() - 1);
    plan.data_bits = hardware.flit_bytes * 8;
    plan.destination_bits = bits_for(topology.processor_count() - 1);
    for (const RouterConfig& router : plan.network.routers)
        plan.port_bits =
            std::max(plan.port_bits, bits_for(router.outputs.size() - (router.outputs.empty() ? 0 : 1)));
    const auto hop = [&](std::uint32_t link, unsigned vc_class) {
        return plan.network.links[link].from.port | (plan.class_bits == 0 ? 0 : vc_class << plan.port_bits);
    };
    plan.routes.resize(topology.processor_count());
    std::size_t most_hops = 1;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            std::vector<std::uint32_t> hops;
            for (const Hop& each : routing.route(source, destination))
                hops.push_back(hop(each.channel, classes[each.channel][each.vc_class]));
            hops.push_back(hop(plan.network.numbers.first_ejection_link(destination), every_vc));
            most_hops = std::max(most_hops, hops.size());
            plan.routes[source].push_back(std::move(hops));
        }
    plan.route_bits = static_cast<unsigned>(most_hops) * plan.hop_bits();
    return plan;
}

} // namespace nocturne
