// What tests of constructions ask: is it valid, and how many steps has it?
#pragma once

#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <optional>

namespace nocturne {

/// Checks that there is a schedule which the validator accepts for the problem; its number of steps.
inline std::size_t valid_steps(const std::optional<Schedule>& schedule, const Problem& problem)
{
    INFO(describe(problem));
    REQUIRE(schedule);
    CHECK(objection_to(*schedule, problem).value_or("") == "");
    return schedule->steps.size();
}

} // namespace nocturne
