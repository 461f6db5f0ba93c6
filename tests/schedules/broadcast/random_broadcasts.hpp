// Problems drawn at random for the searches for broadcasts.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>

namespace nocturne::test {

struct NetworkSize {
    unsigned routers;
    unsigned more_channels; ///< beyond those that connect all routers
};

/// A connected network: directed or bidirectional, parallel channels, up to three processors at a router or
/// none, apart from processors that inject at one router and are ejected by another. A few are named networks
/// with a fault.
Topology random_network(std::uint64_t seed, NetworkSize size);

/// AAB, MNB, OAB or multicast on such a network under any port model, both kinds of switching and all limits
/// of slack.
Problem random_broadcast(std::uint64_t seed, NetworkSize size);

} // namespace nocturne::test
