// Permutations that are hard for randomized routing: those with a structure, and worse ones found by search.
#pragma once

#include "models/benes/benes_wiring.hpp"
#include "models/benes/control_tag.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// Network cycles that some permutation needs whatever its tags, single or multiple: q^min(r, floor(n/2)), r
/// being the columns that are missing.
///
/// The identity is one. The k = n-1-r free digits are the first that the last n columns replace: behind the
/// j-th of these, j above k, a line is given by the n-j highest digits of the source and the j highest of the
/// destination. With j = max(k+1, ceil(n/2)) the q^(n-j) sources that agree in the j highest digits so all
/// want one line, which takes one message a network cycle.
std::uint32_t unavoidable_delay(const BenesWiring& wiring);

struct StructuredPermutation {
    std::string name;                       ///< `identity`, `digits rotated by 2`
    std::vector<std::uint32_t> destination; ///< by source
};

/// Permutations that are made of the lines' addresses: their base-q digits rotated left by each number, in
/// order or reversed, the same with the bits where the number of lines is a power of two; the complement
/// (N-1-s), the tornado (s + ceil(N/2) - 1) and the neighbour (s + 1). Each once, the identity first. Those
/// of make_permutation() are among them, for a network without a grid.
std::vector<StructuredPermutation> structured_permutations(const BenesWiring& wiring);

/// What is searched for, and how long.
struct WorstSearch {
    Randomization randomization = Randomization::multiple;
    Arbitration arbitration = Arbitration::random;
    std::uint64_t seed = 1; ///< of tags, random starts and exchanges
    std::uint32_t tags =
        8; ///< a permutation's delay is the mean over as many runs, each with tags of its own; 1 or more
    std::uint32_t evaluations = 400; ///< permutations to try: the budget; 1 or more
    std::uint32_t climbs = 4;        ///< starts from which exchanges are tried; 1 or more
};

struct WorstPermutation {
    std::vector<std::uint32_t> destination; ///< by source
    std::string start;     ///< where the climb to it began: a structured permutation, or `random 2`
    bool is_start = false; ///< no exchange was kept, or none of the climbs found one that is worse
    double searched_delay =
        0; ///< mean with the tags of the search, network cycles: too high, for it was chosen by them
    double judged_delay = 0; ///< mean with other tags, network cycles; chosen by them, too, but among few
};

/// A local search. All structured permutations are tried, and as many random ones as there are climbs from
/// them; half of the climbs (one more if that is odd) begin at the worst structured ones, the others at
/// random ones, and share what is left of the budget. In each, two sources drawn at random exchange their
/// destinations, and keep them if the mean delay does not fall. The ends and starts of all climbs are then
/// judged with tags that the search has not seen, and the worst one is returned: no start is worse than it
/// with those. The seeds of the tags are the first draws of SplitMix64(seed): `tags` to search, `tags` to
/// judge. Deterministic. Costs (evaluations + 2 climbs) x tags routed permutations. Throws
/// std::invalid_argument for a number out of range.
WorstPermutation find_worst_permutation(const BenesWiring& wiring, const WorstSearch& search);

} // namespace nocturne
