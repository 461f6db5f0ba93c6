#include "models/energy/activity.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

namespace nocturne::activity_test {

namespace {

/// No traffic on any link of the network with one port a processor.
Activity nothing_on(const Topology& topology)
{
    Activity activity;
    activity.links.resize(topology.channel_count() + 2 * topology.processor_count());
    return activity;
}

} // namespace

TEST_CASE("a packet is written, granted, read and moved once in every router on its way", "[energy]")
{
    const Topology line = make_topology("mesh:3x1");
    Activity activity = nothing_on(line);
    const auto carry = [&](std::size_t link) { activity.links[link] = {5, 1}; };
    for (ChannelId id = 0; id < line.channel_count(); ++id)
        if (line.channel(id).source < line.channel(id).target)
            carry(id);                   // from left to right
    carry(line.channel_count());         // P0 injects
    carry(line.channel_count() + 3 + 2); // P2 receives
    const std::vector<RouterActivity> routers = router_activity(line, one_port, activity);
    REQUIRE(routers.size() == 3);
    for (const RouterActivity& router : routers)
        CHECK(router == RouterActivity{5, 5, 5, 5, 1});
}

TEST_CASE("links count where they begin and where they end", "[energy]")
{
    const std::string network = GENERATE("mesh:2x3", "omega:8", "octagon:8", "fattree:8", "star:5");
    INFO(network);
    const Topology topology = make_topology(network);
    const std::size_t links = topology.channel_count() + 2 * topology.processor_count();
    for (std::size_t link = 0; link < links; ++link) {
        Activity activity = nothing_on(topology);
        activity.links[link] = {7, 2};
        std::uint64_t writes = 0;
        std::uint64_t reads = 0;
        for (const RouterActivity& router : router_activity(topology, one_port, activity)) {
            writes += router.buffer_writes;
            reads += router.buffer_reads;
            CHECK(router.switch_grants == router.buffer_reads);
            CHECK(router.crossbar_traversals == router.buffer_reads);
            CHECK(router.vc_grants * 7 == router.buffer_reads * 2);
        }
        const bool is_injection =
            link >= topology.channel_count() && link < topology.channel_count() + topology.processor_count();
        const bool is_ejection = link >= topology.channel_count() + topology.processor_count();
        CHECK(writes == (is_ejection ? 0U : 7U));
        CHECK(reads == (is_injection ? 0U : 7U));
    }
}

TEST_CASE("the activity of another network is refused", "[energy]")
{
    const Activity activity = nothing_on(make_topology("mesh:2x2"));
    CHECK_THROWS_WITH(router_activity(make_topology("mesh:3x3"), one_port, activity),
                      "mesh:3x3: activity of 16 links; the network has 42");
    CHECK_THROWS_WITH(router_activity(make_topology("mesh:2x2"), all_port, activity),
                      "mesh:2x2: activity of 16 links; the network has 24");
}

} // namespace nocturne::activity_test
