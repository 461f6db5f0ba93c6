// What the parameters of the evolutionary engines have in common.
#pragma once

#include "schedules/schedule/schedule.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// `start 00f3…`, a mark of the schedule that first populations begin with, or `start none`.
std::string describe_start(const Schedule* start);

/// What two lists of parameters, `population 60, slots tested 8`, disagree about: the first one's part of it and the other's.
/// Lists that do not have the same parameters disagree as a whole.
struct ParameterDifference {
    std::string one;
    std::string other;
};
ParameterDifference difference(std::string_view one, std::string_view other);

} // namespace nocturne
