// UMDA: the univariate marginal distribution algorithm of Jaroš (GECCO 2009, section 4) and Jaroš and Dvořák
// (section 3). In each generation binary tournaments choose parents, half as many as the population; the
// marginal frequencies of each gene among the parents are sampled for as many new solutions; these are
// repaired, mutated, evaluated, and replace the worse half of the population.
//
// What the papers leave open was decided by measuring; where a researcher would vary it, it is a parameter:
// - Between equals the younger solution wins, in tournaments and survival: else a population on a plateau
//   stays there.
// - The model is of whole genes: source, path and step depend on each other. AAB on the 16-node trees and fat
//   trees and the 15-node full tree, three runs of 5 s each: 6 of 9 succeed, of step apart from path and
//   source 2 of 9.
// - Acceleration that moves any surplus to any free step brings as much chance into a population as selection
//   takes out: AAS on 16-node Omega in 16 steps stays at 160 conflicts. A step that would be beyond the
//   sender's ports is therefore sampled again from the model a few times (sampling_tries) before acceleration
//   moves what is left.
// - Two deliveries that swap steps have the same sender. The second may be missing: where a port is free the
//   first moves. A swap of any two would break what acceleration promises, and never use the steps in which a
//   sender rests.
// - Broadcasts: mutation moves a delivery to another step, where it tests all who have the message by then as
//   sources; receivers that are then ahead of their source test others. So the steps spread that building
//   blocks set to 0.
// - Mutation of any delivery, to any step, is slow to end: AAS on the 16-node fat tree in 15 steps takes less
//   than 3 s with `conflicting_mutation`, and is still 5 conflicts short after 6 s without it and
//   `slots_tested`.
// - A population that has lost its diversity without a solution begins anew (stagnation_limit).
// - A population of 30, which begins anew after 3000 generations, is two to nine times as fast as one of 60
//   on networks of 16 nodes; 60 is the papers'.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/search/engine.hpp"

#include <string>

namespace nocturne {

/// The papers' values are the defaults where they give any.
struct UmdaParameters {
    std::uint32_t population = 60;     ///< 4 or more, even: half of it become parents
    double mutation_probability = 0.9; ///< of each new chromosome, 0 to 1
    bool acceleration = true;          ///< scatters: no processor sends more in a step than its ports take
    bool slot_swap = true;             ///< scatters: mutation swaps the steps of two deliveries
    bool path_mutation = true;         ///< mutation tries all paths (broadcasts: and sources), keeps the best
    bool restoration = true;     ///< broadcasts: off, each inadmissible gene counts as a conflict instead
    bool building_blocks = true; ///< broadcasts: the first population has all steps 0
    /// Probability that the delivery mutated is one in conflict, 0 to 1; the papers: any delivery, 0.
    double conflicting_mutation = 0.9;
    /// Steps that a mutation tests, drawn at random, to keep the best; 0 = all. The papers' random swap: 1.
    std::uint32_t slots_tested = 8;
    std::uint32_t sampling_tries = 4; ///< with acceleration: of a step from the model; 0 = as sampled
    bool whole_genes = true; ///< the model is of whole genes; off, of step and path (with source) apart
    /// Generations without progress after which the island begins anew; 0 = never, as in the papers.
    std::uint32_t stagnation_limit = 5'000;
    PathLists paths = {}; ///< slack at most that of the problem
    std::uint32_t islands = 1;
    std::uint32_t generations_per_epoch = 50; ///< between two exchanges of the islands' best
};

/// Each of them by name, in one line.
std::string describe(const UmdaParameters& parameters);

bool suits_umda(const Problem& problem);

/// Islands of UMDA for a schedule of at most `steps` steps, in a ring; each solution of the first population
/// keeps what it can of `start` (or null). Problem and start must outlive the model. Throws
/// std::invalid_argument, naming the parameter, for one out of range, and as ChromosomeEncoding does.
IslandModel umda_model(const Problem& problem, unsigned steps, const UmdaParameters& parameters,
                       const Schedule* start = nullptr);

/// With the default parameters; SearchProgress::tried counts fitness evaluations (fitness_count.hpp).
SearchResult search_umda(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
