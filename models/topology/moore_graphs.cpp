#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"

namespace nocturne {

namespace {

/// Links first..first+4 to a ring in which neighbours are `stride` apart: 1 a pentagon, 2 a pentagram.
void link_five(Topology& topology, RouterId first, unsigned stride)
{
    for (unsigned j = 0; j < 5; ++j)
        topology.add_link(first + j, first + (j + stride) % 5);
}

} // namespace

Topology make_petersen()
{
    Topology topology("petersen");
    for (unsigned r = 0; r < 10; ++r)
        topology.add_processor(topology.add_router({}, on_circle(r % 5, 5, r < 5 ? 2.6 : 1.3)));
    link_five(topology, 0, 1);
    link_five(topology, 5, 2);
    for (RouterId j = 0; j < 5; ++j)
        topology.add_link(j, 5 + j);
    return topology;
}

Topology make_hoffman_singleton()
{
    Topology topology("hoffman_singleton");
    for (unsigned r = 0; r < 50; ++r) {
        const Position five = on_circle(r / 5, 10, 4.0), corner = on_circle(r % 5, 5, 1.4);
        topology.add_processor(topology.add_router({}, Position{five.x + corner.x, five.y + corner.y}));
    }
    for (unsigned five = 0; five < 10; ++five)
        link_five(topology, 5 * five, five < 5 ? 1 : 2);
    for (unsigned h = 0; h < 5; ++h)
        for (unsigned i = 0; i < 5; ++i)
            for (unsigned j = 0; j < 5; ++j)
                topology.add_link(5 * h + j, 25 + 5 * i + (h * i + j) % 5);
    return topology;
}

} // namespace nocturne
