#include "models/energy/energy.hpp"
#include "models/fabric/fabric_activity.hpp"
#include "models/hardware/link.hpp"
#include "tests/catch.hpp"
#include "tests/models/fabric/random_platform.hpp"
#include "tests/models/fabric/small_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <numeric>

namespace nocturne::fabric_activity_test {

namespace {

/// Of all links below a module, in the order in which they were made, which is that of their numbers.
void collect_links(const sc_core::sc_object& object, std::vector<LinkActivity>& links)
{
    if (const auto* link = dynamic_cast<const Link*>(&object))
        links.push_back({link->flits(), link->packets()});
    for (const sc_core::sc_object* child : object.get_child_objects())
        collect_links(*child, links);
}

/// One write of 64 bytes from `cpu` to `ram`, and a read of 4 back.
Activity activity_of_two(FabricTiming timing)
{
    const test::Simulation simulation;
    FabricConfig config;
    config.timing = timing;
    test::SmallPlatform platform(config);
    platform.cpu.script = [](test::ScriptedInitiator& cpu) {
        test::OwnedPayload write(tlm::TLM_WRITE_COMMAND, 0x1000, 64);
        test::OwnedPayload read(tlm::TLM_READ_COMMAND, 0x1000, 4);
        for (test::OwnedPayload* payload : {&write, &read}) {
            sc_core::sc_time delay;
            cpu.socket->b_transport(*payload, delay);
            cpu.wait(delay);
        }
    };
    test::run_to_end();
    return fabric_activity(*platform.fabric);
}

} // namespace

TEST_CASE("the activity of a fabric is what its links have carried", "[fabric][activity]")
{
    const test::Simulation simulation;
    test::RandomPlatformConfig config;
    config.fabric.timing = FabricTiming::flit;
    config.initiator.is_blocking = GENERATE(true, false);
    config.initiator.transactions = 200;
    test::RandomPlatform platform(config);
    test::run_to_end();
    REQUIRE(platform.left_over() == 0);
    std::vector<LinkActivity> links;
    collect_links(platform.fabric(), links);
    const Activity activity = fabric_activity(platform.fabric());
    CHECK(activity.links == links);
    CHECK(std::accumulate(links.begin(), links.end(), std::uint64_t{0},
                          [](std::uint64_t sum, const LinkActivity& link) { return sum + link.flits; }) >
          1000);
}

TEST_CASE("every timing that has a network moves the same", "[fabric][activity]")
{
    const Activity flit = activity_of_two(FabricTiming::flit);
    // From corner to corner: 72 and 8 bytes to the memory, 8 and 12 back, over two channels and the links of
    // the interfaces.
    std::uint64_t flits = 0;
    std::uint64_t packets = 0;
    for (const LinkActivity& link : flit.links) {
        flits += link.flits;
        packets += link.packets;
    }
    CHECK(flits == 4 * (18 + 2 + 2 + 3));
    CHECK(packets == 4 * 4);
    CHECK(activity_of_two(FabricTiming::at).links == flit.links);
    CHECK(activity_of_two(FabricTiming::lt).links == flit.links);
    CHECK_THROWS_WITH(activity_of_two(FabricTiming::fixed),
                      "fabric: timing fixed has no network in which anything moves");
}

TEST_CASE("energy of a fabric counts its flits in each router", "[fabric][activity]")
{
    const Activity activity = activity_of_two(FabricTiming::flit);
    const test::Simulation simulation;
    const test::SmallPlatform platform(FabricConfig{}); // for its network
    EnergyTable table;
    table.flits = {{4, 1, 0, 0}}; // a picojoule for each flit that is written into a buffer
    const NetworkEnergy energy =
        network_energy(platform.fabric->plan().network, one_port, activity, table, {});
    // The links between interface and router, and between routers, lead to three routers each.
    CHECK(energy.total_pj() == Approx(3 * (18 + 2 + 2 + 3)));
}

TEST_CASE("a fabric keeps its transactions if it is asked to", "[fabric]")
{
    const bool keeps = GENERATE(true, false);
    const FabricTiming timing =
        GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit);
    CAPTURE(keeps, to_string(timing));
    const test::Simulation simulation;
    test::RandomPlatformConfig config;
    config.fabric.timing = timing;
    config.fabric.records_transactions = keeps;
    config.initiator.transactions = 50;
    test::RandomPlatform platform(config);
    test::run_to_end();
    const Fabric& fabric = platform.fabric();
    std::uint64_t expected = 0;
    sc_core::sc_time latency;
    for (std::uint32_t from = 0; from < fabric.plan().initiators; ++from)
        for (std::uint32_t to = 0; to < fabric.plan().targets; ++to) {
            expected += fabric.stats(from, to).transactions;
            latency += fabric.stats(from, to).latency;
        }
    REQUIRE(expected > 0);
    if (!keeps) {
        CHECK(fabric.transactions().empty());
        return;
    }
    CHECK(fabric.transactions().size() == expected);
    for (const FabricTransaction& each : fabric.transactions())
        latency -= each.ended - each.began;
    CHECK(latency == sc_core::SC_ZERO_TIME);
}

} // namespace nocturne::fabric_activity_test
