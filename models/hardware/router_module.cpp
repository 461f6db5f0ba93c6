#include "models/hardware/router_module.hpp"

namespace nocturne {

RouterModule::RouterModule(const sc_core::sc_module_name& name, ClockDomain& domain, PacketPool& packets,
                           const RouterConfig& config, Arena& arena)
    : sc_module(name), in("in", config.buffer_flits.size()), out("out", config.outputs.size()),
      router_(new(arena.take_place<Router>()) Router(domain, packets, config, arena))
{
}

void RouterModule::end_of_elaboration()
{
    for (std::uint32_t port = 0; port < in.size(); ++port)
        router_->connect_input(port, *in[port].operator->());
    for (std::uint32_t port = 0; port < out.size(); ++port)
        router_->connect_output(port, *out[port].operator->());
}

} // namespace nocturne
