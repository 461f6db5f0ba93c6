// How messages share a link fairly.
#pragma once

#include <cstddef>
#include <span>

namespace nocturne {

/// What a message has for a link, from now on.
struct Flow {
    double flits = 0;      ///< more than 0; used up by share_max_min()
    double least = 0;      ///< cycles that they take at least, whatever the others do
    double cycles = 0;     ///< result: that they take
    double first_rate = 1; ///< result: flits a cycle, until the first message has passed
};

inline constexpr std::size_t most_flows = 32; ///< on a link: one of each virtual channel

/// Flits of several messages, most_flows at most, take turns on a link that passes `capacity` flits a cycle:
/// the shares are max-min fair until a message has passed, and then again, as in generalized processor
/// sharing (Parekh & Gallager, A Generalized Processor Sharing Approach to Flow Control, 1993). No message is
/// faster than Flow::least says. Of those that others hold up, the last flits come in the order of `flows`.
void share_max_min(std::span<Flow> flows, double capacity);

} // namespace nocturne
