// Routers and network interfaces as parts of a SystemC model.
#pragma once

#include "models/hardware/link_fork.hpp"
#include "models/hardware/router.hpp"

#include <systemc>

#include <memory>
#include <vector>

namespace nocturne {

/// A router, and the ends of its links where it copies packets.
class RouterWithLinks {
public:
    /// As Router; the arena must outlive it.
    RouterWithLinks(ClockDomain& domain, PacketPool& packets, const RouterConfig& config, Arena& arena);

    Router& router() { return *router_; }
    /// Links, by the end of the elaboration; inputs in their order.
    void connect_input(std::uint32_t port, Link& link);
    void connect_output(std::uint32_t port, Link& link) { router_->connect_output(port, link); }

private:
    struct Destroy {
        void operator()(Router* router) const { router->~Router(); }
    };

    std::unique_ptr<Router, Destroy> router_;
    ClockDomain& domain_;
    PacketPool& packets_;
    const unsigned vcs_;
    const unsigned copies_;
    const std::uint32_t links_in_;
    std::vector<std::unique_ptr<LinkFork>> forks_; ///< by link in, of a router that copies packets
};

/// A router, or a network interface, as a SystemC module: its name and its ports. What it does is done by the
/// clock domain.
class PartModule final : public sc_core::sc_module {
public:
    sc_core::sc_vector<sc_core::sc_port<Link>> in;
    sc_core::sc_vector<sc_core::sc_port<Link>> out;

    PartModule(const sc_core::sc_module_name& name, std::size_t links_in, std::size_t links_out)
        : sc_module(name), in("in", links_in), out("out", links_out)
    {
    }
};

} // namespace nocturne
