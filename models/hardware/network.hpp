// The one builder that wires any topology: a router or switch for each vertex, a link for each channel, and a
// network interface with its injection and ejection links for each processor.
#pragma once

#include "models/hardware/network_plan.hpp"
#include "models/hardware/router_module.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/topology.hpp"

#include <memory>
#include <string>
#include <vector>

namespace nocturne {

/// The hardware of a network. Links are numbered: the topology's channels first, then the injection links of
/// each processor, then the ejection links of each.
class Network final : public sc_core::sc_module {
public:
    /// For the routes of `routing`; its classes share the virtual channels (VcClasses::shares()). If it is
    /// adaptive, the routers learn its tables: this is what makes packets for it possible. The topology must
    /// outlive the network. Throws std::invalid_argument for a bad configuration, more classes than virtual
    /// channels, an adaptive routing of another topology, or a channel whose latency is more than a million
    /// cycles.
    Network(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
            PortModel ports, const Routing& routing);
    /// For routes in these classes.
    Network(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
            PortModel ports, const VcClasses& vc_classes = {});
    ~Network() override;

    const Topology& topology() const { return topology_; }
    const HardwareConfig& config() const { return config_; }
    ClockDomain& domain() { return domain_; }
    PacketPool& packets() { return packets_; }
    NetworkInterface& interface(ProcessorId id) { return *interfaces_[id]; }
    const std::vector<Router*>& routers() const { return routers_; }
    const std::vector<std::unique_ptr<Link>>& links() const { return links_; }
    /// `00->01`, `P00->00` (injection), `00->P00` (ejection).
    std::string link_name(std::uint32_t link) const;

    /// Throws std::invalid_argument unless the route leads from the source's router to the destination's.
    void check_route(ProcessorId source, ProcessorId destination, const Route& route) const;
    /// A packet of `flits` flits with its route set, ready for NetworkInterface::send. The route must be one
    /// that check_route accepts.
    PacketId make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                         const Route& route);
    /// The same with the route that `routing` gives the pair now, or if it is adaptive for the routers to
    /// decide. Throws what it throws for a route, and std::invalid_argument if it is adaptive and not what
    /// the network was made with.
    PacketId make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                         const Routing& routing);

    /// Faults during the run: these channels are down for that time, and these routers, with what is in them
    /// and on all their links, those of their processors included. A router is down for at least
    /// Router::reset_cycles(). Nothing hangs: what a fault cuts off drains and is discarded (see LinkFault).
    /// Before the first message is sent; any number of times. Throws std::invalid_argument for a channel or
    /// router that does not exist, and for a time that ends before it begins.
    void plan_faults(const Faults& faults, DownTime down);

    /// Flits that faults have cost, each counted once, where it was lost.
    std::uint64_t flits_lost() const;
    /// Credits that are neither with their senders nor on their way to a sender that waits for them: 0 when
    /// all is quiet.
    std::uint64_t credits_under_way() const;

    /// Flits times routers crossed, so far.
    std::uint64_t flit_hops() const;
    /// Cycles that flits waited beyond the pipeline, in routers and at injection links.
    std::uint64_t blocked_cycles() const;
    /// Those of them in which only a credit was missing: the buffer behind the link was full, or is too small
    /// for the time that a credit takes to come back (see HardwareConfig::full_rate_buffer_flits()).
    std::uint64_t credit_wait_cycles() const;

    /// The link at an input (output) of a router.
    std::uint32_t link_into(RouterId router, unsigned port) const { return plan_.into[router][port]; }
    std::uint32_t link_out_of(RouterId router, unsigned port) const { return plan_.out_of[router][port]; }

private:
    bool has_vcs(const Hop& hop) const;
    void plan_router_failure(RouterId router, DownTime down);

    const Topology& topology_;
    const HardwareConfig config_;
    const unsigned vc_classes_;
    const std::shared_ptr<const AdaptiveRouting> adaptive_;
    const NetworkPlan plan_;
    ClockDomain domain_;
    PacketPool packets_;
    Arena router_memory_;
    std::vector<std::unique_ptr<RouterModule>> router_modules_;
    std::vector<Router*> routers_;
    std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
    std::vector<std::unique_ptr<Link>> links_;
};

} // namespace nocturne
