// What the parameters of the evolutionary engines have in common.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace nocturne {

/// Refuses parameters out of range by a std::invalid_argument: `umda: population 1: 2 or more`.
class ParameterCheck {
public:
    /// The engine's name.
    explicit ParameterCheck(std::string_view engine) : engine_(engine) {}

    /// Throws unless it holds; `demand` says what would.
    void require(bool holds, std::string_view name, double value, std::string_view demand) const;
    void at_least(std::size_t least, std::string_view name, std::size_t value) const;
    /// From 0 to 1.
    void probability(std::string_view name, double value) const;
    /// 1 or more, and no longer than the problem allows.
    void paths(const PathLists& lists, const Problem& problem) const;

private:
    std::string_view engine_;
};

/// `start 00f3…`, a mark of the schedule that first populations begin with, or `start none`.
std::string describe_start(const Schedule* start);

/// What two lists of parameters, `population 60, slots tested 8`, disagree about: the first one's part of it
/// and the other's. Lists that do not have the same parameters disagree as a whole.
struct ParameterDifference {
    std::string one;
    std::string other;
};
ParameterDifference difference(std::string_view one, std::string_view other);

} // namespace nocturne
