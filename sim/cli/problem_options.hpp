// How subcommands take a problem: a network with its faults, a collective, and how messages may travel.
#pragma once

#include "schedules/problem/problem.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/result_files/problem_text.hpp"

#include <string_view>

namespace nocturne::cli {

/// Of --slack and --max-slack, hops.
inline constexpr CountRange slack_range{0, 64};

/// Is it the name of a collective?
bool is_collective(std::string_view word);
/// `schedule mesh:4x4 allreduce` is `schedule mesh:4x4 --collective allreduce`.
inline constexpr BareWord bare_collective{"collective", is_collective};
/// A number with a unit of bytes: `64MiB`.
bool is_size(std::string_view word);
inline constexpr BareWord bare_size{"bytes", is_size};

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
