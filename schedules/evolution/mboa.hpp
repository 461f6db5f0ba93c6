// MBOA: the mixed Bayesian optimization algorithm of Jaroš, Ohlídal and Dvořák (GECCO 2007, sections 3.2 and
// 5; Ocenasek and Schwarz, 2002). In each generation tournaments choose parents, half as many as the
// population; decision trees learn what they have in common (decision_trees.hpp; variables are step and path,
// for broadcasts also source, of each gene); as many new solutions are sampled from the trees, mutated,
// repaired and evaluated; each replaces the loser of a tournament unless that is better.
//
// The paper leaves much open. Measured on AAS on the 16-node hypercube in 8 steps, where every channel is
// busy in every step:
// - Steps can be renamed at will, so that marginal frequencies say nothing until chance has broken the
//   symmetry: populations of 20 to 50 have converged within 10 s, one of 200 is still diverse after 25 s.
// - Restricted tournaments (the most similar solution is replaced), which MBOA uses elsewhere, keep all
//   symmetric variants alive and had not begun to converge when that was given up (15 s); tournaments for the
//   worst do.
// - Mutation of any random gene was left with 1 to 12 conflicts after 10 to 12 s (other parameters varied, 13
//   runs); of genes in conflict, it solved 3 of 6 runs.
// - An item drawn blindly costs chances that a test of a few steps keeps (runs of 8 s, 4 seeds each):
//   one-port mesh AAS in 17 steps 4 of 4 instead of 2, fat octagon MNS among all in 17 steps 4 of 4 instead
//   of none, the hypercube 2 instead of 1.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/decision_trees.hpp"
#include "schedules/evolution/heuristics.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/search/engine.hpp"

#include <string>

namespace nocturne {

/// Which of the solutions in a replacement tournament has to make room.
enum class Replacement {
    worst,   ///< most conflicts
    nearest, ///< fewest genes that differ from the new one's: restricted tournament replacement
};

/// What is done with paths when the search stalls.
enum class PathRemedy {
    best, ///< genes in conflict try all their paths and take the best
    one,  ///< one minimum path of each new solution is replaced by another, at random
};

struct MboaParameters {
    std::uint32_t population = 20;            ///< 2 or more; the paper fits it to each problem
    std::uint32_t tournament = 2;             ///< solutions among which a parent wins
    std::uint32_t replacement_tournament = 4; ///< solutions among which one is replaced
    Replacement replacement = Replacement::worst;
    TreeLimits trees = {};
    /// A gene's variables depend only on genes that it can conflict with; off, on any.
    bool structural_prior = true;
    /// Of the structural prior. Genes that a gene may depend on: of those that it can conflict with a random
    /// choice, drawn from afresh in each generation up to trees.candidates.
    std::uint32_t candidate_genes = 128;
    double mutation_probability = 1; ///< the paper: one random gene in each chromosome
    double conflicting_mutation = 1; ///< probability that this is a gene in conflict; the paper: 0
    /// Scatters: steps that a mutation tests, each with every path of the gene, to keep the best; 0 = one
    /// item drawn anew (the paper).
    std::uint32_t slots_tested = 4;
    double slot_swap =
        0; ///< probability that mutation swaps the steps of two genes; the UMDA papers brought it
    bool restoration = true; ///< broadcasts: off, each inadmissible gene counts as a conflict
    RestoredPath restored_path = RestoredPath::random;
    bool acceleration = false;     ///< scatters; the UMDA papers brought it
    std::uint32_t path_stall = 20; ///< generations without progress before the path remedy; 0 = never
    PathRemedy path_remedy = PathRemedy::best;
    /// Generations without progress after which the island begins anew; 0 = never.
    std::uint32_t stagnation_limit = 20000;
    PathLists paths = {}; ///< slack at most that of the problem
    std::uint32_t islands = 1;
    std::uint32_t generations_per_epoch = 100; ///< between two exchanges of the islands' best
};

/// Each of them by name, in one line.
std::string describe(const MboaParameters& parameters);

bool suits_mboa(const Problem& problem);

/// Islands of MBOA, as umda_model(). Each solution of the first population keeps what it can of `start`.
IslandModel mboa_model(const Problem& problem, unsigned steps, const MboaParameters& parameters,
                       const Schedule* start = nullptr);

/// SearchProgress::tried counts fitness evaluations (fitness_count.hpp).
SearchResult search_mboa(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
