#include "tests/schedules/chunk_search/known_networks.hpp"

#include <array>
#include <numeric>

namespace nocturne::test {

LinkNetwork dgx1()
{
    struct Wire {
        NodeId a, b;
        std::uint64_t units;
    };
    constexpr std::array wires{Wire{0, 1, 2}, Wire{0, 2, 1}, Wire{0, 3, 1}, Wire{0, 4, 2},
                               Wire{1, 2, 1}, Wire{1, 3, 2}, Wire{1, 5, 1}, Wire{2, 3, 2},
                               Wire{2, 6, 2}, Wire{3, 7, 1}, Wire{4, 5, 2}, Wire{4, 6, 1},
                               Wire{4, 7, 1}, Wire{5, 6, 1}, Wire{5, 7, 2}, Wire{6, 7, 2}};
    LinkNetwork network{"dgx1", 8};
    for (const auto& [a, b, units] : wires)
        network.add_links(a, b, units, 1);
    return network;
}

LinkNetwork grid(const Grid& grid)
{
    const std::uint32_t nodes =
        std::accumulate(grid.sides.begin(), grid.sides.end(), 1u, std::multiplies<>());
    LinkNetwork network{"grid", nodes};
    std::uint32_t stride = 1;
    for (std::size_t dimension = 0; dimension < grid.sides.size(); ++dimension) {
        const std::uint32_t side = grid.sides[dimension];
        for (NodeId node = 0; node < nodes; ++node) {
            const std::uint32_t at = node / stride % side;
            const bool is_last = at + 1 == side;
            if (is_last && (!grid.wraps || side <= 2))
                continue;
            const NodeId next = is_last ? node - at * stride : node + stride;
            network.add_links(node, next, grid.bytes_per_cycle[dimension], grid.latency_cycles);
        }
        stride *= side;
    }
    return network;
}

} // namespace nocturne::test
