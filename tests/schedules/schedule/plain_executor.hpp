// A schedule of chunks carried out word for word, in any order that it leaves open: the validator's oracle.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::test {

/// How an execution went.
struct Execution {
    std::string failure;                ///< why it is none; empty if every result is right
    std::vector<std::uint32_t> weights; ///< that each transfer carried
};

/// One execution with memories that hold lists of contributions. Under dependencies transfers begin and end,
/// and from begin to end what is read is written by no other, what is copied to is touched by no other, and
/// what is added to is only added to; which transfer begins or ends next is drawn. Under steps all of a step
/// is read, and then written in an order that is drawn.
Execution execute(const Schedule& schedule, const LinkNetwork& network, SplitMix64& random);

/// The same, under dependencies: `held` begins as early as it can, and ends only when nothing else is left
/// that can begin or end. Whatever is not ordered against it takes place meanwhile.
Execution execute_while_open(const Schedule& schedule, const LinkNetwork& network, std::uint32_t held,
                             SplitMix64& random);

/// Why some execution fails; empty if none of those does that are tried: `draws` random ones, and under
/// dependencies one for each transfer that is held open, which is what finds every race; where the transfers
/// are many, for some that are drawn.
std::string failure_of(const Schedule& schedule, const LinkNetwork& network, SplitMix64& random,
                       std::uint32_t draws = 4);

} // namespace nocturne::test
