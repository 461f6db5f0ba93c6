// Steps for machines that read when a transfer starts and write when it ends: nothing is overwritten before
// it is read.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

struct StagedSchedule {
    Schedule schedule;
    std::vector<std::uint32_t> position; ///< in it, of each transfer of the schedule that it was made of
};

/// The same schedule, in which no step writes over links to a place that it also sends from. What comes to
/// such a place is copied into scratch that nothing else uses; the copy, or the addition, to the place is the
/// first of the step's local transfers. Steps, rounds and links stay what they are, and a schedule under
/// dependencies is its own. Precondition: valid.
StagedSchedule stage_steps(const Schedule& schedule);

} // namespace nocturne
