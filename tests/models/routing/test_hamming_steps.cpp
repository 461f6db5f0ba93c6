#include "models/routing/hamming_steps.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::hamming_steps_test {

TEST_CASE("networks of complete graphs are recognized by their channels", "[routing]")
{
    for (const char* name : {"hyperx:3x4", "hyperx:4x3x2", "regular_hyperx:2,3,2,2", "flatfly:4,3"})
        CHECK(is_hamming_graph(make_topology(name)));
    for (const char* name : {"ring:5", "mesh:3x3", "torus:3x3", "hypercube:3", "dragonfly:1,4,2", "mesh:2x2"})
        CHECK_FALSE(is_hamming_graph(make_topology(name)));
    Topology lacks_one = test::direct_network("lacks one", 3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}});
    lacks_one.set_grid({{3}, false});
    CHECK_FALSE(is_hamming_graph(lacks_one));
    lacks_one.add_channel(2, 0);
    CHECK(is_hamming_graph(lacks_one));
}

TEST_CASE("parallel links of a HyperX are all used", "[routing]")
{
    const Topology topology = make_topology("regular_hyperx:1,4,3,4");
    const Routing routing = make_routing(topology, "dor");
    std::vector<unsigned> uses(topology.channel_count());
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            for (const Hop& hop : routing.route(source, destination))
                ++uses[hop.channel];
    for (const unsigned count : uses)
        CHECK(count > 0); // of 16 pairs each
}

} // namespace nocturne::hamming_steps_test
