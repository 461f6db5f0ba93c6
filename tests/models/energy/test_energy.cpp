#include "models/energy/energy.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

namespace nocturne::energy_test {

namespace {

/// Powers of two: every sum is exact.
const EnergyTable powers_of_two{.name = "",
                                .source = "",
                                .flits = {{4, 1, 2, 4}},
                                .arbitration_pj = 8,
                                .clock_pj = 16,
                                .leakage_mw = 32,
                                .link_pj_per_byte_mm = 64,
                                .link_mm = 0.5};

} // namespace

TEST_CASE("energy is what moved times what it costs", "[energy]")
{
    const Topology pair = make_topology("mesh:2x1"); // P0 sends P1 a packet of 3 flits
    Activity activity;
    activity.links.resize(pair.channel_count() + 4);
    activity.cycles = 10;
    for (ChannelId id = 0; id < pair.channel_count(); ++id)
        if (pair.channel(id).source == 0)
            activity.links[id] = {3, 1};
    activity.links[pair.channel_count()] = {3, 1};
    activity.links[pair.channel_count() + 3] = {3, 1};

    const NetworkEnergy energy = network_energy(pair, one_port, activity, powers_of_two, {4, 2.0});
    REQUIRE(energy.routers.size() == 2);
    for (const RouterEnergy& router : energy.routers) {
        CHECK(router.buffers == 3 * 1 + 3 * 2);
        CHECK(router.crossbar == 3 * 4);
        CHECK(router.arbitration == (3 + 1) * 8);
        CHECK(router.clock == 10 * 16);
        CHECK(router.leakage == 20 * 32); // 20 ns
        CHECK(router.total() == 9 + 12 + 32 + 160 + 640);
    }
    CHECK(energy.all_channels_pj() == 3 * 4 * 64 * 0.5);
    CHECK(energy.all_routers().total() == 2 * (9 + 12 + 32 + 160 + 640));
    CHECK(energy.total_pj() == energy.all_routers().total() + energy.all_channels_pj());
    CHECK(energy.time_ns == 20);
    CHECK(energy.power_mw() == energy.total_pj() / 20);
}

TEST_CASE("a router with a clock of its own spends that clock's cycles", "[energy]")
{
    Topology pair = make_topology("mesh:2x1");
    pair.set_part(1, {.clock = parse_clock("3/2")});
    Activity activity;
    activity.links.resize(pair.channel_count() + 4);
    activity.cycles = 10;
    const NetworkEnergy energy = network_energy(pair, one_port, activity, powers_of_two, {4, 2.0});
    CHECK(energy.routers[0].clock == 10 * 16);
    CHECK(energy.routers[1].clock == 15 * 16);
    CHECK(energy.routers[1].leakage == 20 * 32);
}

TEST_CASE("wires cost by their length, where it is known", "[energy]")
{
    Topology topology("wires");
    const RouterId a = topology.add_router("a");
    const RouterId b = topology.add_router("b");
    topology.add_channel({a, b, 1, 0, 3});
    topology.add_channel({b, a});
    Activity activity;
    activity.links = {{2, 1}, {2, 1}};
    const NetworkEnergy energy = network_energy(topology, one_port, activity, powers_of_two, {4, 2.0});
    CHECK(energy.channels_pj == std::vector<double>{2 * 4 * 64 * 1.5, 2 * 4 * 64 * 0.5});
}

TEST_CASE("an empty run takes no power", "[energy]")
{
    const Topology pair = make_topology("mesh:2x1");
    Activity activity;
    activity.links.resize(pair.channel_count() + 4);
    const NetworkEnergy energy = network_energy(pair, one_port, activity, powers_of_two, {4, 2.0});
    CHECK(energy.total_pj() == 0);
    CHECK(energy.power_mw() == 0);
}

} // namespace nocturne::energy_test
