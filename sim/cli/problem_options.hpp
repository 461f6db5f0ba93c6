// How subcommands take a problem: a network with its faults, a collective, and how messages may travel.
#pragma once

#include "schedules/problem/problem.hpp"
#include "sim/result_files/problem_text.hpp"

#include <boost/program_options.hpp>

namespace nocturne::cli {

/// Options `collective`, `source`, `senders`, `receivers`, `image`, `ports`.
boost::program_options::options_description collective_options();

/// What they say; the rest is left empty. Throws std::invalid_argument if `collective` is missing.
ProblemText collective_text(const boost::program_options::variables_map& map);

/// Those, `topology`, `fault`, `slack` and `switching`.
boost::program_options::options_description problem_options();

/// Throws std::invalid_argument or std::runtime_error, one line, for a network, fault, processor or
/// collective that does not exist, and for a problem that cannot be posed.
Problem problem_of(const boost::program_options::variables_map& map);

} // namespace nocturne::cli
