#include "models/topology/gpu_networks.hpp"

#include "models/topology/generator_helpers.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

namespace nocturne {

namespace {

/// Half of what vendors state for both directions, over the links of a GPU: 300 over 6, 600 over 12, 900 over
/// 18.
constexpr std::array gpu_machines{GpuMachine{"dgx1", "V100", "an NVLink of a V100", 25},
                                  GpuMachine{"dgx2", "V100", "an NVLink of a V100", 25},
                                  GpuMachine{"dgx_a100", "A100", "an NVLink of an A100", 25},
                                  GpuMachine{"dgx_h100", "H100", "an NVLink of an H100", 25}};

void add_gpus(Topology& topology, unsigned count, double y)
{
    for (unsigned i = 0; i < count; ++i)
        topology.add_processor(
            topology.add_router(fmt::format("gpu{}", topology.processor_count()), Position{1.0 * i, y}));
}

/// `count` of them in a row as wide as `width` places.
void add_switches(Topology& topology, std::string_view name, unsigned count, unsigned width, double y)
{
    for (unsigned i = 0; i < count; ++i)
        topology.add_router(fmt::format("{}{}", name, i), Position{(i + 0.5) * width / count - 0.5, y});
}

void add_links(Topology& topology, RouterId a, RouterId b, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        topology.add_link(a, b);
}

/// Eight GPUs, and for each switch how many links a GPU has to it.
Topology eight_gpus(const std::string& name, std::span<const unsigned> links)
{
    Topology topology(name);
    add_gpus(topology, 8, 1.5);
    add_switches(topology, "switch", static_cast<unsigned>(links.size()), 8, 0);
    for (RouterId gpu = 0; gpu < 8; ++gpu)
        for (RouterId i = 0; i < links.size(); ++i)
            add_links(topology, gpu, 8 + i, links[i]);
    return topology;
}

} // namespace

const GpuMachine* gpu_machine(std::string_view network)
{
    const std::string_view whole = network.substr(0, network.find(" without "));
    const auto* const found = std::ranges::find(gpu_machines, whole, &GpuMachine::network);
    return found == gpu_machines.end() ? nullptr : found;
}

Topology make_dgx1()
{
    struct Link {
        RouterId a, b;
        unsigned count;
    };
    static constexpr Link links[] = {{0, 1, 2}, {0, 2, 1}, {0, 3, 1}, {0, 4, 2}, {1, 2, 1}, {1, 3, 2},
                                     {1, 5, 1}, {2, 3, 2}, {2, 6, 2}, {3, 7, 1}, {4, 5, 2}, {4, 6, 1},
                                     {4, 7, 1}, {5, 6, 1}, {5, 7, 2}, {6, 7, 2}};
    Topology topology("dgx1");
    for (RouterId gpu = 0; gpu < 8; ++gpu)
        topology.add_processor(topology.add_router(fmt::format("gpu{}", gpu), on_circle(gpu, 8, 1.4)));
    for (const Link& link : links)
        add_links(topology, link.a, link.b, link.count);
    return topology;
}

Topology make_dgx2()
{
    Topology topology("dgx2");
    add_gpus(topology, 8, 0);
    add_gpus(topology, 8, 4.5);
    for (const unsigned board : {0u, 1u})
        for (unsigned i = 0; i < 6; ++i)
            topology.add_router(fmt::format("switch{}", 6 * board + i),
                                Position{(i + 0.5) * 8 / 6 - 0.5, 1.5 + 1.5 * board});
    for (RouterId gpu = 0; gpu < 16; ++gpu)
        for (RouterId i = 0; i < 6; ++i)
            topology.add_link(gpu, 16 + gpu / 8 * 6 + i);
    for (RouterId i = 0; i < 6; ++i)
        add_links(topology, 16 + i, 22 + i, 8);
    return topology;
}

Topology make_dgx_a100()
{
    return eight_gpus("dgx_a100", std::array{2u, 2u, 2u, 2u, 2u, 2u});
}

Topology make_dgx_h100()
{
    return eight_gpus("dgx_h100", std::array{5u, 4u, 4u, 5u});
}

Topology make_rail_cluster(unsigned boxes, unsigned gpus, unsigned spines)
{
    const std::string name = spines == 0 ? fmt::format("rail:{},{}", boxes, gpus)
                                         : fmt::format("rail:{},{},{}", boxes, gpus, spines);
    if (boxes < 2 || gpus < 2)
        throw std::invalid_argument(fmt::format("{}: at least 2 boxes of 2 GPUs", name));
    const std::uint64_t count = saturating_product({boxes, gpus});
    check_size(name, {count, count + boxes + gpus + spines,
                      saturating_product({4, count}) + saturating_product({2, gpus, spines})});
    Topology topology(name);
    const unsigned width = boxes * (gpus + 1);
    for (unsigned box = 0; box < boxes; ++box)
        for (unsigned gpu = 0; gpu < gpus; ++gpu)
            topology.add_processor(topology.add_router(fmt::format("b{}g{}", box, gpu),
                                                       Position{1.0 * box * (gpus + 1) + gpu, 0}));
    const auto first_box = static_cast<RouterId>(count), first_rail = first_box + boxes;
    for (unsigned box = 0; box < boxes; ++box)
        topology.add_router(fmt::format("box{}", box), Position{box * (gpus + 1.0) + 0.5 * (gpus - 1), 1.5});
    add_switches(topology, "rail", gpus, width, -2);
    add_switches(topology, "spine", spines, width, -4);
    for (unsigned box = 0; box < boxes; ++box)
        for (unsigned gpu = 0; gpu < gpus; ++gpu) {
            topology.add_link(box * gpus + gpu, first_box + box);
            topology.add_link(box * gpus + gpu, first_rail + gpu);
        }
    for (unsigned rail = 0; rail < gpus; ++rail)
        for (unsigned spine = 0; spine < spines; ++spine)
            topology.add_link(first_rail + rail, first_rail + gpus + spine);
    return topology;
}

} // namespace nocturne
