// The rules once more, written for obviousness instead of speed: what the validator is compared with.
#pragma once

#include "schedules/schedule/validator.hpp"

#include <optional>
#include <set>

namespace nocturne::test {

/// Which rule is broken where, and what is named: as in Violation.
struct BrokenRule {
    Rule rule;
    std::optional<std::size_t> step = {};
    std::optional<std::size_t> transfer = {};
    std::optional<ChannelId> channel = {};
    std::optional<ProcessorId> processor = {};

    friend auto operator<=>(const BrokenRule&, const BrokenRule&) = default;
};
using BrokenRules = std::set<BrokenRule>;

BrokenRules broken_rules(const Schedule& schedule, const Topology& topology);

/// The same of what the validator says.
BrokenRules broken_rules(const std::vector<Violation>& violations);

} // namespace nocturne::test
