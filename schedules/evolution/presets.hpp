// The engines as their papers print them, and what can be left out of ours.
#pragma once

#include "schedules/evolution/evolution.hpp"

#include <span>
#include <string_view>

namespace nocturne {

/// The paper's algorithm and nothing else, by the engine's name (`umda`, `mboa`, `hgsa`). Throws
/// std::invalid_argument with the list for any other name.
///
/// *umda* (Jaroš, GECCO 2009, section 4; Jaroš and Dvořák, section 3), as printed: population 60; half of it
/// are parents, chosen by binary tournaments; the univariate marginal distribution of the parents is sampled
/// for as many children; each is mutated with probability 0.9; children replace the worse half (4.5).
/// Fitness: pairs in conflict (4.3). Minimal paths, all of them (4.1). Scatters: mutation swaps the steps of
/// two random deliveries and tests their paths; acceleration before each evaluation (4.4, 4.5). Broadcasts:
/// the first population has all steps 0; restoration before each evaluation, with a random source and a
/// random path from it (4.4). No restarts, one population. Open, and how it is decided here:
/// - Budget: none is printed, only mean times of the runs that succeeded (table 6).
/// - What is a variable of the distribution: a whole gene ("gene dependencies" are what it lacks). Equal
///   fitness: the younger solution wins.
/// - How many deliveries a mutation changes: a swap of two, and the paths of these two; any path but the old
///   one, of these the one with the fewest conflicts. Which two: of one sender (a swap between senders would
///   undo acceleration); where the sender has a port free in the other's step, only one moves.
/// - How acceleration redesigns the use of ports: a step beyond a sender's ports is drawn again from the
///   model, 4 times at most (sampling_tries), then from its free steps at random. At random from the first,
///   with swaps between senders, AAS on Omega-16 in 16 steps stays at 160 conflicts.
/// - Broadcasts: "by selecting correct time slots the restoration heuristic produces corrected broadcast
///   trees" does not say who selects, and mutation of paths alone would leave all steps 0 for ever. So
///   mutation moves a random delivery to a random step, where it tests all processors that have the message
///   as sources, with all their paths. A restoration that moves deliveries to later steps where ports are
///   taken was tried: AAB on B-Tree 16 stays at 270 conflicts.
///
/// *mboa* (Jaroš, Ohlídal and Dvořák, GECCO 2007, sections 3.2 and 5), as printed: random first population;
/// tournament selection; decision trees; tournament replacement; one random gene is mutated in every new
/// solution; restoration with the path index modulo the number of paths; one minimum path is replaced by
/// another when the search stalls. Minimal paths. No restarts, one population. Open:
/// - Population: "such that the global optimum was reached in at least 50 % of all runs (if possible)"; 200
///   here, to be set for each problem. Budget: none is printed (figures 9 and 10 show evaluations of the
///   successes).
/// - Tournaments: of 2 for parents, of 4 for the solution to be replaced, which is the worst of these unless
///   it is better than the new one. Parents: half as many as the population, and as many children.
/// - Trees: grown until the metric (decision_trees.hpp) says stop, any variable a candidate; at least 4
///   parents in a leaf.
/// - Stall: 20 generations without progress.
///
/// *hgsa* (the same paper, sections 3.1 and 5), as printed: 10 solutions; exchange each 100 iterations of
/// Metropolis; temperature 100 at first, 200 iterations at each, factor 0.99; roulette wheel; double-point
/// crossover, the best of parents and children mutated (a parent always) and accepted by the Metropolis
/// criterion; conflicts as energy; minimal paths; first hop of a path in step 1 (on all-port networks; with
/// one port that cannot be, and the paper schedules such networks). No reheating. Open:
/// - The "move" of an iteration: that of the mutation, which the paper does describe: one random gene gets a
///   random path and random steps. Probability that a child is mutated: 0.1. Shares on the wheel: conflicts
///   fewer than the worst, and one.
/// - The end of cooling: none. Budget: none is printed.
/// - Paths: at most 64 of a pair, a random choice (more than that exist on hypercubes of 32 and more
///   processors only). Equal energy is accepted.
/// - Ports: the paper's conflicts are of channels only. Ours count ports as well, since a schedule that needs
///   more of them is not valid (section 1 has the 1-port model).
EvolutionParameters as_printed(std::string_view engine);

/// A part of an engine that can be left out to see what it is worth.
struct EnginePart {
    std::string_view engine;
    std::string_view name; ///< `slot-swap`
    bool is_ours;          ///< an addition to what the paper prints
    void (*leave_out)(EvolutionParameters& parameters);
};

/// Of all engines: the papers' heuristics first, then our additions.
std::span<const EnginePart> engine_parts();

/// Leaves the part of that name out. Throws std::invalid_argument with the engine's parts if it has none of
/// that name.
void leave_out(std::string_view part, EvolutionParameters& parameters);

} // namespace nocturne
