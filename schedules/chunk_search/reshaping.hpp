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
/// What came to a place beside the chunks' own to be added there is added as it comes. Valid, too.
Schedule in_steps(const Schedule& schedule, const LinkNetwork& network, StepPacking packing);

/// Each chunk in `factor` equal pieces, which take the same way one after the other: a schedule of
/// in_parts(). In steps: as many steps, and `factor` times as many rounds. Under dependencies it takes as
/// long, or less, unless latency holds links or transfers share links (LinkShares): pieces may come to these
/// in another order. Throws as in_parts().
Schedule in_more_parts(const Schedule& schedule, std::uint32_t factor);

} // namespace nocturne
