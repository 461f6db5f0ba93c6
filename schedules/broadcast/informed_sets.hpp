// The sets of processors that have a message after every step of its broadcast, as an integer program.
#pragma once

#include "schedules/broadcast/step_flow.hpp"
#include "schedules/search/engine.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// By step, from what holds before the first to what holds after the last: has the processor the message?
using InformedSets = std::vector<std::vector<bool>>;

struct InformedSetsResult {
    Outcome outcome = Outcome::gave_up;
    std::optional<InformedSets> sets = std::nullopt; ///< if `found`
    std::uint64_t nodes = 0;                         ///< of the tree of branches
};

/// Sets for a broadcast of `message` in exactly `steps` steps, such that in every step one flow informs those
/// that join; or the proof that there are none. `most_nodes` limits the tree (0 = no limit).
InformedSetsResult find_informed_sets(const StepNetwork& network, const Message& message, unsigned steps,
                                      const SearchControl& control, std::uint64_t most_nodes);

} // namespace nocturne
