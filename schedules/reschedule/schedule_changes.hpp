// What became of the transfers of a schedule.
#pragma once

#include "schedules/reschedule/translate.hpp"

#include <cstddef>

namespace nocturne {

/// A message that is not added comes to a processor at most once in a valid schedule, so that message and
/// destination identify a transfer before and after; sums come several times, which are counted. kept +
/// changed + dropped is the number of transfers before, kept + changed + added that after.
struct ScheduleChanges {
    std::size_t kept = 0;    ///< the same source and path, in a step that corresponds
    std::size_t changed = 0; ///< from another source, over another path, or in another step
    std::size_t dropped =
        0; ///< the message does not come to this destination any more, or there is no such message
    std::size_t added = 0; ///< the message did not come to this destination before (relays)

    friend bool operator==(const ScheduleChanges&, const ScheduleChanges&) = default;
};

/// Compares a schedule before a fault, given by its translation, with one after it, for the same network and
/// collective as the translation. Steps correspond in their order, empty ones to nothing, such that the most
/// transfers are kept: a schedule with a step more or less is not one in which everything has changed. Takes
/// (steps before) x (steps after) time at least.
ScheduleChanges compare_schedules(const TranslatedSchedule& before, const Schedule& after);

} // namespace nocturne
