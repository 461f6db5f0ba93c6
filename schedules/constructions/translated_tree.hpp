// Broadcasts of all on Cayley graphs: one tree, translated to all sources.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAB on a network that looks the same from every router (ring, torus, hypercube, octagon, complete graph,
/// circulant). A broadcast tree from one router uses, in each step, each generator at most once, over one
/// hop; translated to all sources, the trees then use each channel at most once, and every processor sends
/// and receives as many messages as the tree has edges in the step. The tree grows greedily: in each step a
/// largest set of routers that can be informed over different generators, the nearest first, with random
/// choices among equals in up to 20 attempts. If an attempt is full until the last step, it takes
/// ceil((N-1)/min(degree, ports)) steps, which is optimal, as no processor can receive more. This was so for
/// every torus, ring, octagon, complete graph and (folded) hypercube tried, with every number of ports: 1112
/// problems of up to 512 processors, and the torus of 32x32.
///
/// Works for every switching and slack. Nothing for other collectives, or if find_cayley_graph() finds none.
/// Source: Johnsson and Ho, Optimum broadcasting and personalized communication in hypercubes, IEEE
/// Transactions on Computers 38(9), 1989 (translation of trees by exclusive or).
std::optional<Schedule> translated_tree(const Problem& problem);

} // namespace nocturne
