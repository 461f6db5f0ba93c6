// A few of the many paths between two processors.
#pragma once

#include "models/topology/path.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// Which paths a search has to choose from.
struct PathChoice {
    unsigned slack = 0;          ///< hops beyond a minimal path
    std::size_t most_paths = 64; ///< of one message, 1 or more; a random choice where there are more
    std::uint64_t seed = 1;      ///< of that choice
};

/// Paths without repeated routers from `source` to `destination`, at most slack hops longer than a minimal
/// one, each once: all of them if there are at most `most_paths`. Otherwise, without slack each set of
/// minimal paths of that size is about as probable; with slack the choice is among the first of
/// PathEnumerator, a multiple of most_paths. None if the destination is unreachable. Throws
/// std::invalid_argument if a processor does not exist.
std::vector<Path> choose_paths(const Topology& topology, ProcessorId source, ProcessorId destination,
                               const PathChoice& choice);

} // namespace nocturne
