// What traffic asks of each link: the load above which no network with these routes can be steady.
#pragma once

#include "models/network/link_plan.hpp"
#include "sim/traffic/measure.hpp"

#include <span>
#include <string>

namespace nocturne {

/// Part of a link's cycles that the flits take which are to cross it; above 1 they wait longer and longer.
struct LinkDemand {
    std::string link; ///< `00->01`; the ejection links of a processor `00->P3`
    double demand = 0;
};

/// The highest, by the mean rates of all classes of traffic: over channels where routes do not depend on
/// queues, and over ejection links always. Of routes that are drawn (o1turn, valiant) it is what the channel
/// has at least, so far as some 260,000 draws tell. Takes time for each pair of processors that has traffic.
/// Throws what the routing throws.
LinkDemand highest_demand(const LinkPlan& plan, std::span<const ClassTraffic> classes);

} // namespace nocturne
