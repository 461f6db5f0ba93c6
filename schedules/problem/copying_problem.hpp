// What is known of problems that only copy, for problems that add.
#pragma once

#include "schedules/problem/problem.hpp"

#include <optional>

namespace nocturne {

/// Is every demand for all contributions to its chunk?
bool owes_whole(const Collective& collective);

/// Is every chunk that is added owed whole, and to one receiver, as in a reduction or a reduce-scatter? Run
/// backwards on the turned network such a collective only copies.
bool can_be_turned(const Collective& collective);

/// Does the problem add, and only copy when it is run backwards?
inline bool is_copied_backwards(const Problem& problem)
{
    return reduces(problem.collective) && can_be_turned(problem.collective);
}

/// The problem run backwards: reversed(collective) on turned(topology). It has a schedule of so many steps if
/// and only if the problem has. Precondition: can_be_turned().
Problem turned(const Problem& problem);

/// The problem that only copies and takes no more steps than `problem`, by which this is bounded: turned(),
/// or what the processor `origin` contributes, alone: copied to all that are owed sums with it. (Of a
/// schedule of `problem` those transfers that carry it are one for that.) Where a sum may be passed on and a
/// copy to one receiver may not, since there is a slack, there is none. Nothing if `origin` contributes
/// nothing to others, or none is given and the collective cannot be turned.
std::optional<Problem> bounding_problem(const Problem& problem, std::optional<ProcessorId> origin);

} // namespace nocturne
