#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <set>

namespace nocturne::shortest_path_test {

TEST_CASE("the pairs spread over the minimal paths", "[routing][shortest]")
{
    const Topology tree = make_topology("fattree:4,2");
    const Routing routing = shortest_path(tree);
    std::set<ChannelId> first_hops;
    for (ProcessorId destination = 4; destination < 16; ++destination)
        first_hops.insert(routing.route(0, destination)[0].channel);
    CHECK(first_hops.size() == 4);
    std::set<ChannelId> last_hops;
    for (ProcessorId source = 4; source < 16; ++source)
        last_hops.insert(routing.route(source, 0)[1].channel);
    CHECK(last_hops.size() == 4);
}

TEST_CASE("shortest paths say where there is none", "[routing][shortest]")
{
    const Topology topology = test::direct_network("one way", {"a", "b"}, {{0, 1}});
    const Routing routing = shortest_path(topology);
    CHECK(routing.route(0, 1).size() == 1);
    CHECK(routing.route(1, 1).empty());
    CHECK_THROWS_WITH(routing.route(1, 0), "one way: no path from processor b to processor a");
    CHECK_THROWS_WITH(routing.route(0, 2), "one way: processor 2 does not exist");
}

} // namespace nocturne::shortest_path_test
