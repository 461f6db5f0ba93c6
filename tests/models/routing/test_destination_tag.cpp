#include "models/routing/routings.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

#include <set>

namespace nocturne::destination_tag_test {

TEST_CASE("free digits of the source keep all messages apart until the middle stage", "[routing][tag]")
{
    const Topology topology =
        make_topology(GENERATE("clos:3,3,4", "clos:3,5,4", "benes:2,3", "benes:2,4", "benes:3,3"));
    const Routing routing = destination_tag(topology);
    const auto digits = topology.tag_digits();
    std::size_t free_columns = 0;
    while (digits[free_columns].free)
        ++free_columns;
    REQUIRE(free_columns > 0);

    std::set<ChannelId> used;
    std::size_t hops = 0;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
        const Route route = routing.route(source, 0); // the free half does not depend on the destination
        for (std::size_t column = 0; column < free_columns; ++column, ++hops)
            used.insert(route[column].channel);
    }
    CHECK(used.size() == hops);
}

TEST_CASE("drawn digits reach every middle router", "[routing][tag]")
{
    const Topology clos = make_topology("clos:3,4,3");
    const Routing routing = destination_tag(clos, 7);
    std::set<ChannelId> first_hops;
    for (int i = 0; i < 100; ++i)
        first_hops.insert(routing.route(0, 8)[0].channel);
    CHECK(first_hops.size() == 4);
}

TEST_CASE("a network with false tags is refused", "[routing][tag]")
{
    Topology crossbar("crossbar");
    crossbar.add_router();
    crossbar.add_processor(0);
    crossbar.add_processor(0, 0, "other");
    crossbar.set_tag_digits({{2, 2}}); // the divisor should be 1
    CHECK(destination_tag(crossbar).route(1, 0).empty());
    CHECK_THROWS_WITH(destination_tag(crossbar).route(0, 1),
                      "crossbar: the tag of processor other does not lead there from processor 0");
    CHECK_THROWS_WITH(destination_tag(crossbar).route(0, 2), "crossbar: processor 2 does not exist");
}

} // namespace nocturne::destination_tag_test
