// A schedule for what a fault has left of a network, from the schedule before it.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/reschedule/schedule_changes.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace nocturne {

enum class RescheduleAim {
    fewest_steps,
    fewest_changes, ///< at the fewest steps that a repair reaches; no engine starts afresh
};

struct RescheduleOptions {
    RescheduleAim aim = RescheduleAim::fewest_steps;
    std::chrono::milliseconds budget{60'000}; ///< wall-clock time for the search behind the repair
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0 = one for each core; never changes the result
    std::function<void(const SearchProgress&)> on_progress = {};
};

struct RescheduleResult {
    Problem problem; ///< what is left: the network, and the collective among its processors
    Bound bound = {};
    std::optional<Schedule> schedule =
        std::nullopt; ///< valid; nothing if time or a signal ended the search before there was any
    std::size_t steps_before = 0;
    std::size_t met = 0;          ///< transfers whose source, destination or path has failed
    ScheduleChanges changes = {}; ///< what became of the transfers; only if there is a schedule
    std::string engine = {}; ///< `none` (no transfer met the fault), `repair`, or the engine that found it
    double seconds = 0;      ///< bound included
    int signal = 0;          ///< that ended the search early; 0 = none

    /// Has no schedule fewer steps?
    bool is_optimal() const { return schedule && schedule->steps.size() == bound.steps; }
};

/// Re-schedules after faults, as a system does that has located them (Jaroš and Dvořák, on scheduling
/// collective communications on faulty networks, sections 2 and 4; theirs start from nothing). `schedule` is
/// a valid one for `topology`, `faults` are as parse_faults() takes them. A slack that it keeps to is kept
/// to by the new one, too. A schedule that the faults do not touch stays as it is. Otherwise the broken
/// deliveries are placed into the old schedule (repair()) with as many steps as the lower bound of what is
/// left says, then with more until it works. If that is not the bound, the engine `local` makes a short
/// attempt at the bound that begins with the old schedule, and at last the engines search from nothing, as
/// they do at once for a schedule that adds. Effort is counted: the result depends on the seed, not on the
/// number of workers or the clock, as long as the budget does not end.
///
/// Throws std::invalid_argument, one line, for no fault, a fault that does not exist, one that cuts a
/// receiver off from its message (it says which), a schedule that is incomplete or not valid for `topology`
/// (with the first violation), and for a collective that does not survive (see surviving_collective()) or,
/// with the fewest changes, has sums that several receive (see require_repairable()). What is added to one
/// receiver is re-scheduled backwards, as a collective that only copies; other sums are searched for anew.
RescheduleResult reschedule(const Schedule& schedule, const Topology& topology,
                            std::span<const std::string> faults, const RescheduleOptions& options = {});

} // namespace nocturne
