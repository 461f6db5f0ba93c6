// Networks of links that the tests of engines share.
#pragma once

#include "models/topology/link_network.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::test {

/// The NVLink graph of a DGX-1: 8 processors, links of one and two units, 1 cycle.
LinkNetwork dgx1();

/// A grid with links both ways between neighbours; dimension i has `bytes_per_cycle[i]`.
struct Grid {
    std::vector<std::uint32_t> sides;
    std::vector<std::uint64_t> bytes_per_cycle;
    std::uint64_t latency_cycles = 1;
    bool wraps = false;
};
LinkNetwork grid(const Grid& grid);

} // namespace nocturne::test
