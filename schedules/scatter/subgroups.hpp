// Subgroups of the symmetries of a scatter that leave no message in its place.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/search/engine.hpp"
#include "schedules/symmetry/symmetries.hpp"

#include <vector>

namespace nocturne {

/// A group that is small enough to be listed.
struct Subgroup {
    std::vector<Symmetry> generators;
    std::vector<Symmetry> elements; ///< the identity first, the others ascending

    std::size_t order() const { return elements.size(); }
};

/// Groups of two or more symmetries of a scatter or permutation of which none but the identity keeps a
/// message, so that every orbit has as many messages as the group has elements: translations of a torus, XOR
/// on a hypercube, rotations of an octagon or a mesh, odometers on the leaves of a tree. Looked for in cyclic
/// groups, normal closures of single elements, and groups that grow from both, in samples where there are
/// many. Largest first, of equal ones those that keep fewest channels first; a few of each order. The same
/// problem and seed give the same groups, unless the control says that time is over: then what has been found
/// so far.
std::vector<Subgroup> find_free_subgroups(const Problem& problem, const SearchControl& control,
                                          Reversal reversal = Reversal::included);

/// Does the symmetry leave some channel in its place?
bool keeps_a_channel(const Symmetry& symmetry);

} // namespace nocturne
