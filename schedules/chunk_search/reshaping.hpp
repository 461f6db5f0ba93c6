// A schedule of chunks in another form: with barriers instead of dependencies, or in more parts.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>

namespace nocturne {

enum class StepPacking {
    fewest_steps,  ///< each transfer in the first step that it can be in, whatever links carry there
    fewest_rounds, ///< in the first one in which its links have room left in a round
};

/// `schedule`, which is valid under dependencies, in steps: what a transfer waits for comes a step earlier.
/// Valid, too.
Schedule in_steps(const Schedule& schedule, const LinkNetwork& network, StepPacking packing);

/// Each chunk in `factor` (1 or more) equal pieces, which take the same way one after the other: a schedule
/// of `finer`, whose chunk c x factor + i is the i-th piece of chunk c. In steps: as many steps, and `factor`
/// times as many rounds. Under dependencies it takes as long, or less, unless latency holds links. Throws
/// std::invalid_argument if `finer` is not that.
Schedule in_more_parts(const Schedule& schedule, const Collective& finer, std::uint32_t factor);

} // namespace nocturne
