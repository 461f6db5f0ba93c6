// "There is a schedule of the problem in so many steps" as a propositional formula, and back from a model to
// transfers.
#pragma once

#include "models/topology/path.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/satisfiability/cnf_encoding.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace nocturne {

/// A transfer and the step that it is in.
struct TimedTransfer {
    unsigned step; ///< from 0
    MessageId message;
    ProcessorId source;
    ProcessorId destination;
    Path path;
    Operation operation = Operation::copy; ///< what the destination does with it

    friend bool operator==(const TimedTransfer&, const TimedTransfer&) = default;
};

struct Encoding {
    Formula formula;
    /// The transfers that a model of the formula stands for, in the order of steps: no processor receives a
    /// message twice, and none a message that it is not owed unless it relays it. No path visits a router
    /// twice.
    std::function<std::vector<TimedTransfer>(const Model&)> transfers;
    /// Variables that hold where these transfers are made, as far as the formula knows of them: phases for a
    /// solver that shall begin with them. Where steps can be exchanged they are, so that the numbering of the
    /// formula fits.
    std::function<std::vector<Literal>(std::span<const TimedTransfer>)> phases;
};

/// Satisfiable if and only if the problem has a schedule with at most `steps` steps. The same arguments make
/// the same formula. Which form it has depends on the paths that are allowed:
/// - one variable for each message, step and path if they are few or a slack limits them (any path is one hop
///   under store-and-forward switching);
/// - otherwise one for each message, step and channel: a flow in every step, so that all paths are covered.
///
/// Where everything goes straight the steps can be exchanged: they are numbered in the order in which some
/// messages first need them.
///
/// The problem must outlive the encoding. Throws std::invalid_argument for 0 steps, and if
/// estimated_literals() says that it is too large.
Encoding encode(const Problem& problem, unsigned steps);

/// Formulas with more literals are not made: these take some gigabyte in the solver.
inline constexpr std::uint64_t most_literals = 30'000'000;
inline constexpr std::uint64_t too_large = ~std::uint64_t{0};

/// About as many literals as the formula has, without making it; `too_large` if there are more than
/// most_literals, a long list of paths among the reasons. Throws std::invalid_argument for 0 steps.
std::uint64_t estimated_literals(const Problem& problem, unsigned steps);

} // namespace nocturne
