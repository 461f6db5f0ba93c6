#include "models/hardware/network.hpp"

#include "models/hardware/deadlock_watch.hpp"
#include "models/hardware/kernel.hpp"
#include "models/network/clocks.hpp"
#include "models/network/fault_plan.hpp"
#include "models/routing/adaptive.hpp"
#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

const HardwareConfig& validated(const HardwareConfig& config, const Topology& topology, PortModel ports,
                                const Routing& routing)
{
    if (const auto adaptive = routing.adaptive(); adaptive && &adaptive->topology() != &topology)
        throw std::invalid_argument(
            fmt::format("{}: routing {} is made for another topology", topology.name(), routing.name));
    bool speculates = config.pipeline_of(topology).speculation != Speculation::none;
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id)
        speculates = speculates || config.pipeline_of(topology, id).speculation != Speculation::none;
    require_clocks(topology, config);
    if (routing.adaptive() && speculates)
        throw std::invalid_argument(fmt::format("{}: routing {}: a speculative pipeline needs source routing",
                                                topology.name(), routing.name));
    require_memory(network_bytes(topology, config, ports, routing), half_of_this_machine());
    return config;
}

} // namespace

Network::Network(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
                 PortModel ports, const Routing& routing, std::size_t most_modules)
    : sc_module(name), topology_(topology), config_(validated(config, topology, ports, routing)),
      vc_classes_(routing.vc_classes.count()), adaptive_(routing.adaptive()),
      chooses_routes_(routing.choice() != nullptr), plan_(plan_network(topology, config, ports, routing)),
      domain_("clock", exact_time(config.cycle_ns, "hardware: cycle_ns")),
      router_memory_(std::accumulate(
          plan_.routers.begin(), plan_.routers.end(), std::size_t{0},
          [](std::size_t sum, const RouterConfig& router) { return sum + Router::bytes(router); }))
{
    if (topology.has_router_parts())
        make_clocks();
    const bool has_modules = plan_.routers.size() <= most_modules;
    for (std::uint32_t id = 0; id < plan_.links.size(); ++id) {
        ClockDomain& clock = plan_.numbers.is_injection(id) ? domain_ : clock_of(plan_.links[id].from.owner);
        if (has_modules)
            links_.push_back(std::make_unique<LinkModule>(fmt::format("link_{}", id).c_str(), clock,
                                                          plan_.links[id].config));
        else
            links_.push_back(std::make_unique<Link>(clock, plan_.links[id].config));
        if (!own_clocks_.empty())
            join_clocks(id);
    }
    for (RouterId id = 0; id < plan_.routers.size(); ++id)
        routers_.push_back(
            &router_parts_.emplace_back(clock_of(id), packets_, plan_.routers[id], router_memory_).router());
    for (const NetworkInterfaceConfig& interface : plan_.interfaces)
        interfaces_.push_back(std::make_unique<NetworkInterface>(domain_, packets_, interface));
    if (config.multicast == Multicast::reserved) {
        reservations_.emplace(domain_, tree_channels());
        for (const auto& interface : interfaces_)
            interface->set_reservations(*reservations_);
    }
    if (has_modules)
        bind_modules();
}

Network::Network(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
                 PortModel ports, const VcClasses& vc_classes)
    : Network(name, topology, config, ports, Routing{"routes", vc_classes, {}})
{
}

void Network::bind_modules()
{
    for (RouterId id = 0; id < plan_.routers.size(); ++id)
        modules_.push_back(std::make_unique<PartModule>(fmt::format("router_{}", id).c_str(),
                                                        plan_.routers[id].links_in(),
                                                        plan_.routers[id].outputs.size()));
    for (ProcessorId id = 0; id < plan_.interfaces.size(); ++id)
        modules_.push_back(std::make_unique<PartModule>(fmt::format("interface_{}", id).c_str(),
                                                        plan_.interfaces[id].eject_ports,
                                                        plan_.interfaces[id].inject_ports));
    for (std::uint32_t id = 0; id < plan_.links.size(); ++id) {
        const auto& [link, from, to] = plan_.links[id];
        const std::size_t behind_routers = plan_.routers.size();
        const std::size_t sender = (plan_.numbers.is_injection(id) ? behind_routers : 0) + from.owner;
        const std::size_t receiver = (plan_.numbers.is_ejection(id) ? behind_routers : 0) + to.owner;
        modules_[sender]->out[from.port].bind(*links_[id]);
        modules_[receiver]->in[to.port].bind(*links_[id]);
    }
}

/// Each part's links in the order of its ports.
void Network::end_of_elaboration()
{
    for (RouterId id = 0; id < router_parts_.size(); ++id) {
        for (std::uint32_t port = 0; port < plan_.routers[id].links_in(); ++port)
            router_parts_[id].connect_input(port, *links_[plan_.into[id][port]]);
        for (std::uint32_t port = 0; port < plan_.out_of[id].size(); ++port)
            router_parts_[id].connect_output(port, *links_[plan_.out_of[id][port]]);
    }
    for (std::uint32_t id = 0; id < plan_.links.size(); ++id) {
        const auto& [link, from, to] = plan_.links[id];
        if (plan_.numbers.is_injection(id))
            interfaces_[from.owner]->connect_output(from.port, *links_[id]);
        if (plan_.numbers.is_ejection(id))
            interfaces_[to.owner]->connect_input(to.port, *links_[id]);
    }
}

void Network::start_of_simulation()
{
    for (const auto& link : links_)
        link->start();
    for (Router* const router : routers_)
        router->look_at_links();
    for (const auto& interface : interfaces_)
        interface->look_at_links();
}

/// One for each clock that is not the network's.
void Network::make_clocks()
{
    const std::uint64_t base = domain_.period().value();
    for (RouterId id = 0; id < topology_.router_count(); ++id) {
        const ClockRatio& clock = topology_.part(id).clock;
        if (clock.is_base() || &clock_of(id) != &domain_)
            continue;
        own_clocks_.push_back(
            std::make_unique<ClockDomain>(fmt::format("clock_{}_{}", clock.ticks, clock.base).c_str(),
                                          sc_core::sc_time::from_value(base * clock.base / clock.ticks)));
    }
}

ClockDomain& Network::clock_of(RouterId router)
{
    const ClockRatio& clock = topology_.part(router).clock;
    if (!clock.is_base())
        for (const auto& own : own_clocks_)
            if (own->period().value() * clock.ticks == domain_.period().value() * clock.base)
                return *own;
    return domain_;
}

/// A link has its sender's clock. Processors have that of the network.
void Network::join_clocks(std::uint32_t link)
{
    const NetworkPlan::PlannedLink& planned = plan_.links[link];
    const bool is_injection = plan_.numbers.is_injection(link), is_ejection = plan_.numbers.is_ejection(link);
    const ClockRatio from = is_injection ? ClockRatio{} : topology_.part(planned.from.owner).clock;
    const ClockRatio to = is_ejection ? ClockRatio{} : topology_.part(planned.to.owner).clock;
    if (from != to)
        links_[link]->cross(is_ejection ? domain_ : clock_of(planned.to.owner),
                            ClockCrossing(from, to, config_.synchronizer_cycles),
                            ClockCrossing(to, from, config_.synchronizer_cycles));
    if (!from.is_base())
        links_[link]->report_cycles_as(ClockCrossing(from, {}, 0));
}

bool Network::has_vcs(const Hop& hop) const
{
    const NetworkPlan::End& from = plan_.links[hop.channel].from;
    return plan_.routers[from.owner].groups[from.port * vc_classes_ + hop.vc_class].count > 0;
}

void Network::check_route(ProcessorId source, ProcessorId destination, const Route& route) const
{
    if (destination >= topology_.processor_count())
        throw std::invalid_argument(
            fmt::format("{}: processor {} does not exist", topology_.name(), destination));
    RouterId at = topology_.processor(source).injection;
    for (const Hop& hop : route) {
        if (hop.channel >= topology_.channel_count() || hop.vc_class >= vc_classes_ ||
            topology_.channel(hop.channel).source != at || !has_vcs(hop))
            throw std::invalid_argument(fmt::format(
                "{}: route from processor {} to {}: no {} (class {}) at router {}", topology_.name(), source,
                destination, describe_channel(topology_, hop.channel), hop.vc_class, at));
        at = topology_.channel(hop.channel).target;
    }
    if (at != topology_.processor(destination).ejection)
        throw std::invalid_argument(fmt::format("{}: route from processor {} to {} ends at router {}",
                                                topology_.name(), source, destination, at));
}

Network::~Network()
{
    // SystemC looks for a module in its list from the beginning on, for a port from the end on, and puts the
    // last one in the place of what goes: as soon as an early module without ports has gone, the last of the
    // modules and of the ports are found at once. Two go, since the very last module may be the kernel's own.
    for (std::size_t early = 0; early < std::min<std::size_t>(links_.size(), 2); ++early)
        links_[early].reset();
    const auto destroy_backwards = [](auto& modules) {
        while (!modules.empty())
            modules.pop_back();
    };
    destroy_backwards(modules_);
    destroy_backwards(links_);
}

PacketId Network::make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                              const Route& route)
{
    const PacketId id = packets_.acquire();
    Packet& packet = packets_[id];
    packet.source = source;
    packet.destination = destination;
    packet.flits = flits;
    set_outputs(packet.outputs, route, destination);
    return id;
}

void Network::set_outputs(std::vector<std::uint32_t>& outputs, const Route& route,
                          ProcessorId destination) const
{
    for (const Hop& hop : route)
        outputs.push_back(plan_.links[hop.channel].from.port * vc_classes_ + hop.vc_class);
    outputs.push_back(plan_.ejection_group[destination]);
}

/// Where the detour is as short as the minimal route there is nothing to choose.
PacketId Network::make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                              const RouteChoice& choice)
{
    if (choice.detour.vc_classes != vc_classes_ || !chooses_routes_)
        throw std::invalid_argument(
            fmt::format("{}: a choice of routes is not what the network was made with", topology_.name()));
    const PacketId id = make_packet(source, destination, flits, choice.minimal.route(source, destination));
    const Route detour = choice.detour.route(source, destination);
    Packet& packet = packets_[id];
    if (detour.size() + 1 == packet.outputs.size())
        return id;
    set_outputs(packet.detour, detour, destination);
    packet.route_mode = RouteMode::choice;
    return id;
}

PacketId Network::make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                              const Routing& routing)
{
    if (const auto* const choice = std::get_if<std::shared_ptr<const RouteChoice>>(&routing.kind))
        return make_packet(source, destination, flits, **choice);
    const auto* const adaptive = std::get_if<std::shared_ptr<const AdaptiveRouting>>(&routing.kind);
    if (adaptive == nullptr)
        return make_packet(source, destination, flits, routing.route(source, destination));
    if (*adaptive != adaptive_)
        throw std::invalid_argument(fmt::format(
            "{}: routing {} is not the one that the network was made with", topology_.name(), routing.name));
    endpoints(topology_, source, destination); // do they exist?
    const PacketId id = make_packet(source, destination, flits, Route());
    packets_[id].route_mode = RouteMode::adaptive;
    packets_[id].row = plan_.adaptive_row[destination];
    return id;
}

void Network::plan_faults(const Faults& faults, DownTime down)
{
    if (!own_clocks_.empty())
        throw std::invalid_argument(fmt::format(
            "{}: parts that fail at a time are modelled with one clock, and routers have their own here",
            topology_.name()));
    if (const std::string own = own_property(topology_, {"pool"}); !own.empty())
        throw std::invalid_argument(fmt::format("{}: {}, and parts that fail at a time count credits of each "
                                                "virtual channel",
                                                topology_.name(), own));
    if (config_.multicast != Multicast::unicasts)
        throw std::invalid_argument(
            fmt::format("{}: where routers copy multicasts no parts fail at a time", topology_.name()));
    for (const LinkDown& part : links_down(plan_.numbers, faults, down))
        links_[part.link]->plan_fault(packets_, part.down);
    for (const RouterId id : faults.routers)
        routers_[id]->plan_failure(down.from);
}

std::uint64_t Network::flits_lost() const
{
    std::uint64_t sum = 0;
    for (const auto& link : links_)
        sum += link->fault() == nullptr ? 0 : link->fault()->flits_lost();
    for (const auto& router : routers_)
        sum += router->flits_lost();
    return sum;
}

std::uint64_t Network::credits_under_way() const
{
    std::uint64_t all = 0;
    std::uint64_t there = 0;
    for (RouterId id = 0; id < routers_.size(); ++id) {
        for (const RouterConfig::Output& output : plan_.routers[id].outputs)
            all += std::uint64_t{output.credits} * plan_.numbers.vcs();
        there += routers_[id]->credits();
    }
    for (ProcessorId id = 0; id < interfaces_.size(); ++id) {
        const NetworkInterfaceConfig& config = plan_.interfaces[id];
        all += std::uint64_t{config.inject_ports} * config.vcs * config.buffer_flits;
        there += interfaces_[id]->credits();
    }
    return all - there;
}

std::uint64_t Network::flit_hops() const
{
    std::uint64_t sum = 0;
    for (const auto& router : routers_)
        sum += router->flits();
    return sum;
}

std::optional<std::uint64_t> Network::blocked_cycles() const
{
    std::uint64_t sum = 0;
    for (const auto& router : routers_)
        sum += router->blocked_cycles();
    for (const auto& interface : interfaces_)
        sum += interface->blocked_cycles();
    return sum;
}

std::optional<std::uint64_t> Network::credit_wait_cycles() const
{
    std::uint64_t sum = 0;
    for (const auto& router : routers_)
        sum += router->credit_wait_cycles();
    for (const auto& interface : interfaces_)
        sum += interface->blocked_cycles(); // a source waits for nothing else
    return sum;
}

} // namespace nocturne
