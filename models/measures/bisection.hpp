// How few links join two halves of a network.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace nocturne::measures {

/// How even the two parts are.
enum class Evenness {
    forty_percent, ///< each has at least 40 % of the processors, as Marden has it: of the heuristic's parts
    halves, ///< as many processors in one as in the other, or one more: what is meant by bisection bandwidth
};

/// `40%` and `halves`.
std::string_view to_string(Evenness evenness);
/// Its inverse. Throws std::invalid_argument for another name.
Evenness parse_evenness(std::string_view text);

/// Two parts of a network, as even as was asked for; where no two parts are so even, as even as can be (nodes
/// of several processors are not divided).
struct Bisection {
    std::uint64_t links = 0; ///< between the parts; a bidirectional link is one, and so is a one-way channel
    std::vector<bool> is_in_first = {};          ///< by node
    bool is_exact = false;                       ///< no other such parts have fewer links between them
    Evenness evenness = Evenness::forty_percent; ///< that was asked for
    std::uint64_t smallest_part = 0;             ///< processors that a part had to have for that

    friend bool operator==(const Bisection&, const Bisection&) = default;
};

/// Between which parts to look for few links, and how hard.
struct BisectionEffort {
    Evenness evenness = Evenness::forty_percent; ///< what the other measures, and the paper's, are beside
    std::uint32_t starts =
        14; ///< random halves to begin with, 1 or more; the number of iterations of the paper
    std::uint64_t seed = 1;
    /// Steps of a branch and bound search for fewer links, or the proof that there are none; 0: no search. A
    /// million takes 0.05 s; ten million suffice for 36 nodes of 4 links, a hypercube of 32, a complete graph
    /// of 24, but not for an 8x8 torus.
    std::uint64_t exact_steps = 0;
};

/// The heuristic of Fiduccia and Mattheyses (A linear-time heuristic for improving network partitions, DAC
/// 1982), as Marden (A Genetic Algorithm for Designing Parallel Processor Interconnection Networks), section
/// 6.3, uses it for the bisection bandwidth: from random halves, passes in which each node changes sides
/// once, the one first that saves most links, as long as each part keeps its least size; of a pass as much
/// is kept as saves most, and passes go on as long as they save anything. The best of several starts; then,
/// if it is asked for, branch and bound over the nodes in an order in which each has as many links as
/// possible to those before it.
///
/// Time of a pass O(nodes + arcs); with 14 starts 0.2 ms for 64 nodes of 4 links, 8 ms for
/// 1024. Print has 2 for a ring, 8
/// and 16 for tori of 4x4 and 8x8, 32 for 4x4x4, and so have we; for the tree of 63 nodes it has 7, but a
/// subtree of 31 nodes hangs on one link.
///
/// Throws std::invalid_argument if processors inject and are ejected at different nodes, if there are no
/// starts, or if fewer than two nodes have processors.
Bisection bisection(const Graph& graph, const BisectionEffort& effort = {});

/// Throws std::invalid_argument as bisection() does.
void check_bisection(const Graph& graph, const BisectionEffort& effort);

/// Least weight of a part: 40 % of the processors, rounded up, or half of them, rounded down; or the most
/// even that can be had. What bisection() keeps to.
std::uint64_t smallest_part(const Graph& graph, Evenness evenness = Evenness::forty_percent);

/// Links between the nodes for which `is_in_first` holds and the others.
std::uint64_t links_between(const Graph& graph, const std::vector<bool>& is_in_first);

} // namespace nocturne::measures
