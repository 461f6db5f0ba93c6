// "There is a schedule that adds on its way, in S steps and R rounds" as a propositional formula.
#pragma once

#include "schedules/certificate/step_formula.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Takes nodes, hops and chunks to others; a schedule that looks the same afterwards is symmetric.
struct SumSymmetry {
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> hops;
    std::vector<ChunkId> chunks;
};

/// Something that a node can add to a sum.
struct SumSource {
    static constexpr std::uint32_t own = ~0u;

    std::uint32_t step; ///< in which it came; 0 for the node's own contribution
    std::uint32_t hop;  ///< by which it came; `own`
    Literal used;       ///< says: it is in the sum
};

/// What is sent over a hop in a step, or, at the end, what a receiver is owed: a sum of these.
struct SumVariable {
    std::uint32_t step; ///< SumFormula's last one + 1 for results
    std::uint32_t hop;  ///< index in SumFormula::hops; for a result the receiver
    ChunkId chunk;
    Literal made; ///< says: it is sent; 0 for a result, which always is made
    std::vector<SumSource> sources;
};

struct SumFormula {
    Formula formula;
    std::vector<ChunkHop> hops;
    std::vector<SumVariable> sums; ///< ascending in step, results last
};

/// Satisfiable if and only if the collective, whatever it adds, has a schedule with at most `shape.steps`
/// steps and `shape.rounds` rounds in which a hop carries at most one sum of each chunk in a step. What a
/// node sends is a sum of its own contribution and of sums that came to it, each at most once, no
/// contribution twice; the node may use what came in other sums too. Nothing more general is possible, but
/// for several sums of a chunk over one hop in a step.
///
/// With symmetries, which with the identity are a group: a schedule that each of them keeps.
///
/// Throws std::invalid_argument for a shape that is none, and std::length_error if the formula would have
/// more than `most_literals` literals.
SumFormula sum_formula(const LinkNetwork& network, const Collective& collective, const StepsAndRounds& shape,
                       const std::vector<SumSymmetry>& symmetries = {},
                       std::size_t most_literals = 30'000'000);

} // namespace nocturne
