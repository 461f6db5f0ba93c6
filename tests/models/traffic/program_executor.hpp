// Programs of ranks that are run in other orders than the judge's: it says nothing that no run shows.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace nocturne::test {

struct ProgramStep {
    char kind = 'c'; ///< or s, r
    unsigned peer = 0;
    unsigned tag = 0;
    unsigned bytes = 0;
    std::vector<unsigned> after = {}, after_start = {}; ///< steps of the rank
};

using ProgramText = std::vector<std::vector<ProgramStep>>; ///< by rank

std::string goal_of(const ProgramText& program);

/// Messages that go through in the order in which they were drawn; a share of `chained` of the steps waits
/// for the one before it.
ProgramText random_program(std::mt19937& random, unsigned ranks, unsigned messages, double chained);

/// With one change: a step is lost or twice, has another tag, size or peer, or changes places with another
/// one, or a dependency is there or not.
void mutate(ProgramText& program, std::mt19937& random);

/// What comes of orders in which the steps begin.
struct ProgramOutcome {
    bool is_ended = true;       ///< in each of them
    bool is_stuck = true;       ///< in each of them some steps never ended
    bool sizes_agree = true;    ///< of sends and the receives that take them
    bool has_leftovers = false; ///< messages that no receive has taken
    bool is_all = true;         ///< every order that makes a difference was tried
};

/// Of all orders, up to so many states.
ProgramOutcome outcome_of_all(const ProgramText& program, std::size_t most_states);
/// Of one at random.
ProgramOutcome random_outcome(const ProgramText& program, std::mt19937& random);

/// For each send, and each receive, are those with its ranks and tag ordered by dependencies of the rank?
bool are_ordered(const ProgramText& program);

} // namespace nocturne::test
