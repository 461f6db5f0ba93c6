// What limits a collective, in words and GB/s.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/certificate/bound.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// `gpu0`, `b0g0 and b0g1`, `b0g0 to b0g7 (8 processors)`: the processors among the nodes.
std::string processors_text(const std::vector<NodeId>& nodes, const LinkNetwork& network);

/// `400 GB/s out of b0g0 to b0g7 (8 processors)`: of a set of nodes or of the others, whichever has fewer
/// processors, then `into`.
std::string cut_text(const NodeCut& cut, const LinkNetwork& network, double cycle_ns);

/// Of a bound on rounds or time.
std::string limit_text(const Bound& bound, const LinkNetwork& network, double cycle_ns);

} // namespace nocturne
