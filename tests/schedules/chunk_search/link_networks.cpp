#include "tests/schedules/chunk_search/link_networks.hpp"

#include "schedules/schedule/validator.hpp"

#include <numeric>

namespace nocturne::test {
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

LinkNetwork dgx1(std::uint64_t unit, std::uint64_t latency_cycles)
{
    LinkNetwork network{"DGX-1", 8};
    add_nvlinks(network, 0, unit, latency_cycles);
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

LinkNetwork two_ndv2()
{
    LinkNetwork network{"two NDv2", 16};
    add_nvlinks(network, 0, 50, 350);
    add_nvlinks(network, 8, 50, 350);
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

LinkNetwork random_links(SplitMix64& random, const RandomLinks& links)
{
    LinkNetwork network{"random", links.least_processors +
                                      random.below(links.most_processors - links.least_processors + 1)};
    for (std::uint32_t i = random.below(links.most_switches + 1); i > 0; --i)
        network.add_switch(links.copies && random.below(2) == 0 ? NodeKind::copying_switch
                                                                : NodeKind::plain_switch,
                           "switch");
    const auto nodes = static_cast<std::uint32_t>(network.node_count());
    const auto join = [&](NodeId from, NodeId to) {
        const NetworkLink link{from, to, 1 + random.below(links.most_units),
                               random.below(links.most_latency + 1)};
        if (links.both_ways)
            network.add_links(from, to, link.bytes_per_cycle, link.latency_cycles);
        else
            network.add_link(link);
    };
    for (NodeId node = links.both_ways ? 1 : 0; node < nodes; ++node)
        join(links.both_ways ? random.below(node) : node, links.both_ways ? node : (node + 1) % nodes);
    for (std::uint32_t i = random.below(links.most_more + 1); i > 0; --i) {
        const NodeId node = random.below(nodes);
        join(node, (node + 1 + random.below(nodes - 1)) % nodes);
    }
    return network;
}

Collective of_kind(CollectiveKind kind, const CollectiveShape& shape, std::uint32_t root)
{
    return make_collective(kind, shape, has_root(kind) ? std::optional{root} : std::nullopt);
}

std::string first_violation(const Schedule& schedule, const LinkNetwork& network)
{
    const auto violations = validate(schedule, network);
    return violations.empty() ? "" : violations.front().text;
}

LinkNetwork rails(std::uint32_t boxes, std::uint32_t each)
{
    LinkNetwork network("rails", boxes * each);
    for (std::uint32_t box = 0; box < boxes; ++box) {
        const NodeId inside = network.add_switch(NodeKind::plain_switch, "box");
        for (std::uint32_t i = 0; i < each; ++i)
            network.add_links(box * each + i, inside, 450, 200);
    }
    for (std::uint32_t i = 0; i < each; ++i) {
        const NodeId rail = network.add_switch(NodeKind::plain_switch, "rail");
        for (std::uint32_t box = 0; box < boxes; ++box)
            network.add_links(box * each + i, rail, 50, 1500);
    }
    return network;
}

LinkNetwork rings(std::uint32_t boxes, std::uint32_t each)
{
    LinkNetwork network("rings", boxes * each);
    const NodeId fabric = network.add_switch(NodeKind::plain_switch, "fabric");
    for (std::uint32_t node = 0; node < boxes * each; ++node) {
        const std::uint32_t first = node / each * each;
        network.add_links(node, first + (node - first + 1) % each, 100, 200);
        network.add_links(node, fabric, 16, 1500);
    }
    return network;
}

LinkNetwork random_boxes(SplitMix64& random)
{
    std::vector<std::uint32_t> sizes(2 + random.below(3));
    for (std::uint32_t& size : sizes)
        size = 1 + random.below(3);
    LinkNetwork network("boxes", std::accumulate(sizes.begin(), sizes.end(), 0U));
    std::vector<NodeId> spines;
    for (std::uint32_t i = 0; i < 1 + random.below(2); ++i)
        spines.push_back(network.add_switch(NodeKind::plain_switch, "spine"));
    const bool has_switches = random.below(2) == 0, is_joined_by_switches = random.below(2) == 0;
    const std::uint64_t inside = 1 + random.below(8), outside = 1 + random.below(4);
    NodeId first = 0;
    for (const std::uint32_t size : sizes) {
        const NodeId end = first + size;
        const NodeId box = has_switches ? network.add_switch(NodeKind::plain_switch, "box") : first;
        for (NodeId node = first; node < end; ++node) {
            if (has_switches)
                network.add_links(node, box, inside, 1);
            for (NodeId other = node + 1; !has_switches && other < end; ++other)
                network.add_links(node, other, inside, 1);
            for (const NodeId spine : spines)
                if (!(has_switches && is_joined_by_switches))
                    network.add_links(node, spine, outside, 2);
        }
        for (const NodeId spine : spines)
            if (has_switches && is_joined_by_switches)
                network.add_links(box, spine, outside, 2);
        first = end;
    }
    return network;
}

} // namespace nocturne::test
