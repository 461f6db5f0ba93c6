// The rules once more, written for obviousness instead of speed: what the validator is compared with.
#pragma once

#include "schedules/schedule/validator.hpp"

#include <optional>
#include <set>
#include <utility>

namespace nocturne::test {

/// Which rule is broken in which step; no step for the rules on the whole schedule.
using BrokenRules = std::set<std::pair<Rule, std::optional<std::size_t>>>;

BrokenRules broken_rules(const Schedule& schedule, const Topology& topology);

/// The same of what the validator says.
BrokenRules broken_rules(const std::vector<Violation>& violations);

} // namespace nocturne::test
