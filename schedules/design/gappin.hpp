// GAPPIN: the genetic algorithm for parallel processor interconnection networks.
#pragma once

#include "schedules/design/design.hpp"
#include "schedules/design/objective.hpp"
#include "schedules/design/request.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace nocturne::design {

/// What becomes of a child that costs as much as a member of its generation and is isomorphic to it: nodes
/// are told apart only by their processors and, if positions are known, by their numbers.
enum class Duplicates {
    kept,    ///< as printed
    removed, ///< it is made again, up to 20 times, and then left out (the paper's section 7 wishes for that)
};

/// The user's variables (section 2.4) and the thresholds of section 5.1. The paper states no values.
struct GappinOptions {
    std::uint64_t seed = 1;
    unsigned population = 100;       ///< 2 or more
    unsigned generations = 1000;     ///< after the initial one
    double mutation = 0.02;          ///< probability that a link is to a random node instead of inherited
    double redundant_links = 0;      ///< probability to accept a link parallel to one that is there
    unsigned inheritance_tries = 20; ///< unfit links drawn for a place before inheritance is given up
    unsigned mutation_tries = 200;   ///< more of them before the place is left empty
    Duplicates duplicates = Duplicates::kept;
    double seconds = 0; ///< ends after the generation in which they are spent; 0: no limit
    const std::atomic<bool>* stop = nullptr; ///< ends after the generation in which it is set
};

/// A generation after its survivors have been chosen.
struct GappinGeneration {
    unsigned number = 0; ///< 0: the initial population
    double best_cost = 0;
    double median_cost = 0; ///< of the survivors, the worse of two
    std::vector<Term> best_terms;
    std::vector<Term> median_terms;
    double mean_age = 0; ///< generations that survivors have survived before this one
    unsigned maximum_age = 0;

    friend bool operator==(const GappinGeneration&, const GappinGeneration&) = default;
};

struct GappinResult {
    Design design; ///< the best of the last generation, hence of all
    std::vector<GappinGeneration> history;
};

/// M. Marden, A Genetic Algorithm for Designing Parallel Processor Interconnection Networks. Each generation
/// is doubled by children of two random parents, sorted by cost, and halved. A child gets its links node by
/// node: each is inherited, from the same node of one of the parents at random, or leads to a random node.
///
/// Where the paper leaves something open, here:
/// - A node gets links until it has as many as the request says, those counted that it has got as the other
/// end
///   of a link of a node before it.
/// - A link to the node itself, to a node that has all its links, or beside another one (unless
/// `redundant_links`
///   accepts it) is drawn again, as one that is too long is.
/// - A place that was left empty stays so: there is no repair.
/// - The two parents are different members, each as likely as any other.
/// - Of equal costs the younger survive: otherwise a plateau of the maximum latency stops the search.
///
/// Parallel links are made if `redundant_links` is above 0, whatever the request says of them. Throws
/// std::invalid_argument as check_request(), for one-way links, a symmetry, and options out of range.
GappinResult gappin(const Request& request, const Objective& objective, const GappinOptions& options);

} // namespace nocturne::design
