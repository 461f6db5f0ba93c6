#include "models/hardware/router_module.hpp"

namespace nocturne {

RouterWithLinks::RouterWithLinks(ClockDomain& domain, PacketPool& packets, const RouterConfig& config,
                                 Arena& arena)
    : router_(new(arena.take_place<Router>()) Router(domain, packets, config, arena)), domain_(domain),
      packets_(packets), vcs_(config.vcs), copies_(config.copies),
      links_in_(static_cast<std::uint32_t>(config.links_in()))
{
}

void RouterWithLinks::connect_input(std::uint32_t port, Link& link)
{
    if (copies_ == 1) {
        router_->connect_input(port, link);
        return;
    }
    forks_.push_back(std::make_unique<LinkFork>(domain_, packets_, link, vcs_, copies_));
    LinkFork& fork = *forks_.back();
    for (unsigned copy = 0; copy < copies_; ++copy)
        fork.connect(copy, router_->connect_fork(copy * links_in_ + port, fork, LinkFork::credit_code(copy)));
}

} // namespace nocturne
