// What a search can keep of the schedule that it begins with.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nocturne {

/// Throws std::invalid_argument if `start` is for another number of processors or messages than the problem.
void check_start(const Problem& problem, const Schedule& start);

/// `start` as a schedule of the problem, if it is a valid one in at most `steps` steps whose paths keep to
/// the slack; nothing for null. Throws as check_start().
std::optional<Schedule> valid_start(const Problem& problem, unsigned steps, const Schedule* start);

/// The steps of `start` with those transfers only that the problem allows by themselves: message and
/// processors exist, the path does and keeps to switching and slack. Whether they get in each other's way,
/// and who has a message by then, is not looked at. No steps for null. Throws as check_start().
std::vector<Step> usable_steps(const Problem& problem, const Schedule* start);

/// Indices of those steps, at most so many, that have the most transfers, ascending.
std::vector<std::size_t> fullest_steps(const std::vector<Step>& steps, std::size_t most);

struct StraightTransfer {
    std::uint32_t step;
    Path path;
};

/// By message, each with one receiver: the usable transfer straight from its origin there, if there is one.
/// Steps can be exchanged where messages go straight, so that of more than `steps` steps the fullest are
/// kept, in their order. Throws as check_start().
std::vector<std::optional<StraightTransfer>> straight_transfers(const Problem& problem, unsigned steps,
                                                                const Schedule* start);

/// Its inverse: the schedule, by this engine, of messages that all go straight.
Schedule straight_schedule(const Problem& problem, std::string_view engine,
                           std::vector<StraightTransfer> transfers);

} // namespace nocturne
