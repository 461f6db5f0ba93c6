// Which links a fault takes with it, and when.
#pragma once

#include "models/network/down_time.hpp"
#include "models/network/link_plan.hpp"
#include "models/topology/faults.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

struct LinkDown {
    std::uint32_t link;
    DownTime down;
};

/// The links that are down when these channels and routers are. With a router all its links are: those into
/// it from the cycle before on, since a flit that would come in the very cycle of the failure is lost as
/// well, and those out of it with what is in its switch; and for at least as long as what its pipeline has
/// under way can take, so that it comes back empty. Throws std::invalid_argument for a channel or router that
/// does not exist, and for a time that ends before it begins.
std::vector<LinkDown> links_down(const LinkPlan& plan, const Faults& faults, DownTime down);

} // namespace nocturne
