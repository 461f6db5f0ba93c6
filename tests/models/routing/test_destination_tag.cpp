#include "models/routing/deadlock.hpp"
#include "models/routing/destination_tag.hpp"
#include "models/topology/make_topology.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"

namespace nocturne::destination_tag_test {

TEST_CASE("destination tags lead everywhere, minimally and without deadlock", "[routing][tag]")
{
    const Topology topology =
        make_topology(GENERATE("omega:8", "omega:32", "butterfly:16", "clos:3,3,4", "clos:3,5,4",
                               "clos:4,2,3", "benes:2,3", "benes:2,4", "benes:2,3,1", "benes:3,2"));
    const Routing routing = destination_tag(topology);
    test::require_sound(topology, routing);
    test::require_minimal(topology, routing);
    test::require_deadlock_free(topology, routing);
}

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

TEST_CASE("drawn digits reach every middle router, and the seed decides", "[routing][tag]")
{
    const Topology clos = make_topology("clos:3,4,3");
    const Routing routing = destination_tag(clos, 7);
    const Routing again = destination_tag(clos, 7);
    const Routing other = destination_tag(clos, 8);
    std::set<ChannelId> first_hops;
    bool differs = false;
    for (int i = 0; i < 100; ++i) {
        const Route route = routing.route(0, 8);
        REQUIRE(connects(clos, 0, 8, test::path_of(route)));
        first_hops.insert(route[0].channel);
        REQUIRE(route == again.route(0, 8));
        differs = differs || route != other.route(0, 8);
    }
    CHECK(first_hops.size() == 4);
    CHECK(differs);
}

TEST_CASE("the deadlock check sees every draw of the free digits", "[routing][tag]")
{
    const Topology topology = make_topology(GENERATE("omega:8", "butterfly:4", "clos:3,3,2", "clos:2,4,3",
                                                     "benes:2,2", "benes:2,3", "benes:2,3,1", "benes:3,2"));
    CAPTURE(topology.name());
    const Routing routing = destination_tag(topology, 3);
    test::Dependencies drawn;
    for (int i = 0; i < 200; ++i)
        drawn.merge(test::dependencies_of(topology, routing));
    const DependencyCheck check = check_deadlock(topology, routing);
    CHECK(check.deadlock_free());
    CHECK(check.dependencies.size() == drawn.size());
    for (const auto& [from, to] : drawn)
        REQUIRE(check.dependencies.contains({from.first, from.second}, {to.first, to.second}));
}

TEST_CASE("a network without tags, or with false ones, is refused", "[routing][tag]")
{
    const Topology mesh = make_topology("mesh:2x2");
    CHECK_THROWS_WITH(destination_tag(mesh), "mesh:2x2: no tag digits for destination-tag routing");
    CHECK_THROWS_WITH(destination_tag(mesh, 1), "mesh:2x2: no tag digits for destination-tag routing");

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
