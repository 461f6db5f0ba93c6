#include "models/hardware/router_module.hpp"

namespace nocturne {

RouterModule::RouterModule(const sc_core::sc_module_name& name, ClockDomain& domain, PacketPool& packets,
                           const RouterConfig& config, Arena& arena)
    : sc_module(name), in("in", config.links_in()), out("out", config.outputs.size()),
      router_(new(arena.take_place<Router>()) Router(domain, packets, config, arena)), domain_(domain),
      packets_(packets), vcs_(config.vcs), copies_(config.copies)
{
}

void RouterModule::end_of_elaboration()
{
    const auto links = static_cast<std::uint32_t>(in.size());
    for (std::uint32_t port = 0; port < links; ++port) {
        Link& link = *in[port].operator->();
        if (copies_ == 1) {
            router_->connect_input(port, link);
            continue;
        }
        LinkFork& fork = forks_.emplace_back(domain_, packets_, link, vcs_, copies_);
        for (unsigned copy = 0; copy < copies_; ++copy)
            fork.connect(copy, router_->connect_fork(copy * links + port, fork, LinkFork::credit_code(copy)));
    }
    for (std::uint32_t port = 0; port < out.size(); ++port)
        router_->connect_output(port, *out[port].operator->());
}

} // namespace nocturne
