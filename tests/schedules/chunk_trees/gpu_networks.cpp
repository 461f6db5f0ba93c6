#include "tests/schedules/chunk_trees/gpu_networks.hpp"

#include <array>

namespace nocturne::chunk_trees_test {
namespace {

void add_nvlinks(LinkNetwork& network, NodeId first, std::uint64_t unit, std::uint64_t latency)
{
    constexpr std::array<std::array<unsigned, 3>, 16> links{{{0, 1, 2},
                                                             {0, 2, 1},
                                                             {0, 3, 1},
                                                             {0, 4, 2},
                                                             {1, 2, 1},
                                                             {1, 3, 2},
                                                             {1, 5, 1},
                                                             {2, 3, 2},
                                                             {2, 6, 2},
                                                             {3, 7, 1},
                                                             {4, 5, 2},
                                                             {4, 6, 1},
                                                             {4, 7, 1},
                                                             {5, 6, 1},
                                                             {5, 7, 2},
                                                             {6, 7, 2}}};
    for (const auto& [a, b, units] : links)
        network.add_links(first + a, first + b, units * unit, latency);
}

} // namespace

LinkNetwork dgx1()
{
    LinkNetwork network{"DGX-1", 8};
    add_nvlinks(network, 0, 1, 0);
    return network;
}

LinkNetwork a100(unsigned boxes)
{
    LinkNetwork network{"A100", 8 * boxes};
    for (unsigned box = 0; box < boxes; ++box) {
        const NodeId nvswitch = network.add_switch(NodeKind::plain_switch, "NVSwitch");
        for (NodeId gpu = 8 * box; gpu < 8 * box + 8; ++gpu)
            network.add_links(gpu, nvswitch, 300, 0);
    }
    for (unsigned parity = 0; boxes > 1 && parity < 2; ++parity) {
        const NodeId infiniband = network.add_switch(NodeKind::plain_switch, "InfiniBand");
        for (NodeId gpu = parity; gpu < 8 * boxes; gpu += 2)
            network.add_links(gpu, infiniband, 25, 0);
    }
    return network;
}

LinkNetwork ndv2(unsigned chassis)
{
    LinkNetwork network{"NDv2", 8 * chassis};
    const NodeId infiniband = network.add_switch(NodeKind::plain_switch, "InfiniBand");
    for (unsigned box = 0; box < chassis; ++box) {
        add_nvlinks(network, 8 * box, 50, 700);
        network.add_links(8 * box, infiniband, 25, 650);
    }
    return network;
}

LinkNetwork dgx2x2(unsigned gpus)
{
    LinkNetwork network{"DGX2", 2 * gpus};
    std::array<NodeId, 2> switches{};
    for (unsigned box = 0; box < 2; ++box) {
        switches[box] = network.add_switch(NodeKind::copying_switch, "NVSwitch");
        for (NodeId gpu = gpus * box; gpu < gpus * (box + 1); ++gpu)
            network.add_links(gpu, switches[box], 250, 350);
    }
    for (unsigned link = 0; link < gpus / 2; ++link)
        network.add_links(switches[0], switches[1], 25, 2600);
    return network;
}

} // namespace nocturne::chunk_trees_test
