// Which output groups a waiting head would take.
#pragma once

#include "models/hardware/router.hpp"

namespace nocturne {

/// Visits the output groups any of which a head that waits for a virtual channel would take, or will when its
/// route has been computed.
template <typename Visit>
void Router::for_each_wanted(const InputVc& vc, Visit visit) const
{
    const Packet& packet = packets_[front(vc).packet()];
    const std::uint32_t group =
        vc.phase != Phase::idle ? vc.group
        : packet.route_mode == RouteMode::source || packet.route_mode == RouteMode::choice
            ? packet.outputs[packet.next_output]
            : group_for(packet);
    if (group != any_group) {
        visit(group);
        return;
    }
    adaptive_->allowed.for_each(adaptive_->row_of(packet.row, vc.port),
                                [&](std::uint32_t output) { visit(output * adaptive_->classes); });
    if (!adaptive_->escape.empty())
        visit(adaptive_->escape[packet.row]);
}

} // namespace nocturne
