// How subcommands take a problem: a network with its faults, a collective, and how messages may travel.
#pragma once

#include "schedules/problem/problem.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/result_files/problem_text.hpp"

namespace nocturne::cli {

/// Of --slack and --max-slack, hops.
inline constexpr CountRange slack_range{0, 64};

/// Options `collective`, `source`, `senders`, `receivers`, `image`, `group`, `weights`.
OptionTable collective_options();
/// Option `ports`.
OptionTable port_options();

/// What they say; the rest is left empty. Throws std::invalid_argument if `collective` is missing.
ProblemText collective_text(const OptionValues& given);

/// All of these, `topology`, `chunks`, `fault`, `slack` and `switching`.
OptionTable problem_options();

/// Throws std::invalid_argument or std::runtime_error, one line, for a network, fault, processor or
/// collective that does not exist, and for a problem that cannot be posed.
Problem problem_of(const OptionValues& given);

} // namespace nocturne::cli
