// Ways along the lines of a grid of processors.
#pragma once

#include "schedules/chunk_search/processor_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// How what a member of a line sends reaches the others: by member, from which it has it, in how many hops.
struct LineTree {
    std::vector<std::uint32_t> before; ///< of the root itself
    std::vector<std::uint32_t> depth;
};

/// Hops of the longest way, 0 or more.
std::uint32_t deepest(const std::vector<LineTree>& trees);

/// By coordinate of the root, the quickest ways for a chunk along a line, over hops between members that lead
/// both ways; of several as quick those that fewer trees take. They are those of the first line, which all
/// lines of the dimension are like, and which must be connected.
std::vector<LineTree> quickest_trees(const ProcessorGrid& grid, std::size_t dimension,
                                     const TimedProblem& problem);

} // namespace nocturne
