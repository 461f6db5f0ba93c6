// Collectives as a user asks for them, drawn, and what they owe, spelled out apart from the code under test.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/collective/collective.hpp"

namespace nocturne::test {

/// What is drawn.
struct CollectiveForm {
    bool is_weighted = false;  ///< vector forms now and then
    bool sums_of_some = false; ///< what adds may be of a group
    std::uint32_t most_parts = 1;
};

struct AskedCollective {
    CollectiveKind kind;
    std::uint32_t processors;
    Participants given;
};

/// Any kind but custom, with groups in any order. 2 processors or more.
AskedCollective draw_collective(SplitMix64& random, std::uint32_t processors, const CollectiveForm& form);

/// Chunks in their order, and what every processor's place of each has to hold at the end, its own
/// contributions included, by the definitions of MPI: of ranks, counts and displacements.
Collective spelled_out(const AskedCollective& asked);
/// All that `owed` says, in that order, but for what the origin of a message keeps: no collective lists that.
std::vector<Demand> listed_demands(const Collective& owed);

/// The same with another order of the group and with the weights in it, if it takes them: another numbering
/// of the same collective.
AskedCollective in_another_order(const AskedCollective& asked, SplitMix64& random);

} // namespace nocturne::test
