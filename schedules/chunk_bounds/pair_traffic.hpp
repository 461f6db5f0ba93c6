// Collectives in which each chunk goes from one processor to one other, and cuts for them.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/chunk_flows/path_rounding.hpp"

#include <vector>

namespace nocturne {

/// Weight owed, by source and receiver.
using TrafficMatrix = std::vector<std::vector<double>>;

using NodeOrder = std::vector<NodeId>;

/// The nodes in the order of their numbers, from one end of the network to the other, and breadth first from
/// some of them, which may not reach all. `network` has nodes.
std::vector<NodeOrder> sweep_orders(const LinkNetwork& network);

/// A set of nodes out of which much is owed over few units, as far as is seen by taking nodes one by one, in
/// one of sweep_orders(). Ascending; empty if nothing is owed.
std::vector<NodeId> best_swept_cut(const LinkNetwork& network, const TrafficMatrix& traffic);

} // namespace nocturne
