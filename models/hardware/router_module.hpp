// A router as a part of a SystemC model.
#pragma once

#include "models/hardware/link_fork.hpp"
#include "models/hardware/router.hpp"

#include <systemc>

#include <deque>
#include <memory>

namespace nocturne {

/// A router as a SystemC module: its name and its ports. What it does is done by the clock domain.
class RouterModule final : public sc_core::sc_module {
public:
    sc_core::sc_vector<sc_core::sc_port<Link>> in;
    sc_core::sc_vector<sc_core::sc_port<Link>> out;

    RouterModule(const sc_core::sc_module_name& name, ClockDomain& domain, PacketPool& packets,
                 const RouterConfig& config, Arena& arena);

    Router& router() { return *router_; }

private:
    struct Destroy {
        void operator()(Router* router) const { router->~Router(); }
    };

    void end_of_elaboration() override;
    void start_of_simulation() override { router_->look_at_links(); }

    std::unique_ptr<Router, Destroy> router_;
    ClockDomain& domain_;
    PacketPool& packets_;
    const unsigned vcs_;
    const unsigned copies_;
    std::deque<LinkFork> forks_; ///< by link in, of a router that copies packets
};

} // namespace nocturne
