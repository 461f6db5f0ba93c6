// How fast messages can come to a part of a network that holds none of them.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// What the processors at a set of routers are owed, if none of them is the origin of a message.
struct SetReceptions {
    std::uint64_t owed = 0;     ///< deliveries, one for each message and receiver
    std::uint64_t channels = 0; ///< into the set: as many messages come to it in the first step at most
    std::uint64_t ports = 0;    ///< receive ports of those that are owed something
    /// The fewest steps: in a step at most `ports` deliveries are made, and at most as many as channels lead
    /// into the set and as its processors that hold a message by then can send. 0 if nothing follows.
    std::uint64_t steps = 0;
};

/// `inside` says of each router whether it is in the set; every processor must inject and be ejected on the
/// same side. All zero if a processor at the set is the origin of a message.
SetReceptions receptions_of_set(const Problem& problem, const std::vector<bool>& inside);

} // namespace nocturne
