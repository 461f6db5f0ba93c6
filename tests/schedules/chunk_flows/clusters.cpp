#include "tests/schedules/chunk_flows/clusters.hpp"

#include <array>

namespace nocturne::test {
namespace {

struct NvLink {
    NodeId a, b;
    std::uint64_t units;
};

constexpr std::array dgx1_links{NvLink{0, 1, 2}, NvLink{0, 2, 1}, NvLink{0, 3, 1}, NvLink{0, 4, 2},
                                NvLink{1, 2, 1}, NvLink{1, 3, 2}, NvLink{1, 5, 1}, NvLink{2, 3, 2},
                                NvLink{2, 6, 2}, NvLink{3, 7, 1}, NvLink{4, 5, 2}, NvLink{4, 6, 1},
                                NvLink{4, 7, 1}, NvLink{5, 6, 1}, NvLink{5, 7, 2}, NvLink{6, 7, 2}};

void add_dgx1(LinkNetwork& network, NodeId first)
{
    for (const auto& [a, b, units] : dgx1_links)
        network.add_links(first + a, first + b, 50 * units, 350);
}

} // namespace

LinkNetwork dgx1_nvlink()
{
    LinkNetwork network{"DGX-1", 8};
    add_dgx1(network, 0);
    return network;
}

LinkNetwork two_ndv2()
{
    LinkNetwork network{"two NDv2", 16};
    add_dgx1(network, 0);
    add_dgx1(network, 8);
    network.add_link({0, 9, 25, 650});
    network.add_link({8, 1, 25, 650});
    return network;
}

LinkNetwork two_dgx2()
{
    LinkNetwork network{"two DGX-2", 32};
    for (const NodeId first : {0u, 16u}) {
        const NodeId hub = network.add_switch(NodeKind::plain_switch, "switch " + std::to_string(first / 16));
        for (NodeId gpu = first; gpu < first + 16; ++gpu)
            network.add_links(gpu, hub, 250, 175);
        for (NodeId gpu = 0; gpu < 16; gpu += 2)
            network.add_link({first + gpu + 1, 16 - first + gpu, 25, 1300});
    }
    return network;
}

} // namespace nocturne::test
