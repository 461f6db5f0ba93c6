// "There is a schedule of C chunks in S steps and R rounds" as a propositional formula. Made from the
// collective and the network alone: searches solve it, checkers of proofs make it again.
#pragma once

#include "schedules/certificate/cnf_formula.hpp"
#include "schedules/certificate/hops.hpp"
#include "schedules/certificate/rounds_formula.hpp"
#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The variable that says: in this step the chunk crosses the hop.
struct SentVariable {
    Literal literal;
    std::uint32_t step; ///< from 0
    std::uint32_t hop;  ///< index in StepFormula::hops
    ChunkId chunk;
};

struct StepFormula {
    Formula formula;
    std::vector<ChunkHop> hops;
    std::vector<SentVariable> sent; ///< ascending in step
    /// more_rounds[t][k] says: step t has more than k + 1 rounds.
    std::vector<std::vector<Literal>> more_rounds;
};

/// Which transfers of chunks are made together: by hop and chunk (hop x chunks + chunk) the first of those
/// that are made in the same step if it is. Empty: each on its own.
using TransferOrbits = std::vector<std::uint32_t>;

/// Satisfiable if and only if the collective, in which nothing is added, has a schedule on the network with
/// at most `shape.steps` steps and at most `shape.rounds` rounds in all, however these are shared out (Cai
/// et al., Synthesizing optimal collective algorithms, PPoPP 2021: SCCL's (C, S, R)). With orbits: one that
/// is symmetric, which answers "no" more often. The same arguments make the same formula.
///
/// Throws std::invalid_argument if something is added, a demand is for a part of a chunk, there are no steps
/// or fewer rounds than steps, and std::length_error if the formula would have more than `most_literals`
/// literals.
StepFormula step_formula(const LinkNetwork& network, const Collective& collective,
                         const StepsAndRounds& shape, const TransferOrbits& orbits = {},
                         std::size_t most_literals = 30'000'000);

} // namespace nocturne
