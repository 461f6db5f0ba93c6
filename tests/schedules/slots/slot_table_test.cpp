#include "models/topology/make_topology.hpp"
#include "schedules/slots/slot_search.hpp"
#include "schedules/slots/slot_table.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/slots/random_slots.hpp"

namespace nocturne::slot_table_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// Two flows to processor 8 of a mesh of 3x3, the second from 0 as well.
struct TwoFlows {
    Topology topology = make_topology("mesh:3x3");
    SlotTiming timing;
    std::vector<GuaranteedFlow> flows{{0, 8, 3, 40}, {6, 8, 6, 80, 1, 100}};
    SlotTable table;

    TwoFlows()
    {
        timing.channel_cycles.assign(topology.channel_count(), 5);
        table = find_slots(topology, timing, flows, {.slots = 8}).table.value();
    }
    std::vector<std::string> check() const { return check_slots(topology, timing, flows, table); }
};

} // namespace

TEST_CASE("what is wrong with a slot table is said", "[schedules][slots]")
{
    TwoFlows given;
    REQUIRE(given.check().empty());
    SECTION("a link that two flows want")
    {
        // Both reach the ejection link after their hops: 4 and 2 channels.
        const std::uint32_t period = 40;
        given.table.flows[1].starts = {(given.table.flows[0].starts[0] + 2 * 5 + period - 1) % period};
        REQUIRE(!given.check().empty());
        CHECK_THAT(given.check().back(), Contains("22->P22") && Contains("flow 20 to 22") &&
                                             Contains("in part that of flow 00 to 22"));
    }
    SECTION("a link that a flow wants twice")
    {
        given.table.flows[0].starts = {0, 4};
        REQUIRE(!given.check().empty());
        CHECK_THAT(given.check()[0], Contains("its own"));
    }
    SECTION("round the end of the period")
    {
        given.table.flows[0].starts = {0, 36};
        REQUIRE(!given.check().empty());
        CHECK_THAT(given.check()[0], Contains("its own"));
    }
    SECTION("a path that leads elsewhere")
    {
        given.table.flows[0].path.pop_back();
        CHECK(given.check() == std::vector<std::string>{"flow 00 to 22: its path does not lead there"});
    }
    SECTION("too few slots")
    {
        given.table.flows[0].starts.clear();
        CHECK(given.check() == std::vector<std::string>{"flow 00 to 22: 0 slots; its rate takes 1"});
    }
    SECTION("starts that are none")
    {
        given.table.flows[0].starts = {40};
        CHECK_THAT(given.check()[0], Contains("not ascending cycles below 40"));
        given.table.flows[0].starts = {5, 5};
        CHECK_THAT(given.check()[0], Contains("not ascending"));
    }
    SECTION("a latency that is not kept")
    {
        given.flows[1].latency_cycles = 60;
        REQUIRE(given.check().size() == 1);
        CHECK_THAT(given.check()[0], Contains("60 are asked for"));
    }
    SECTION("another number of flows")
    {
        given.table.flows.pop_back();
        CHECK_THROWS_WITH(given.check(), "a slot table of 1 flows for 2");
    }
}

TEST_CASE("the check of slot tables agrees with the distances of packets", "[schedules][slots]")
{
    std::mt19937 random(11);
    unsigned valid = 0, invalid = 0;
    for (unsigned round = 0; round < 200; ++round) {
        const SlotCase given = random_slot_case(random, 2, 0.1);
        FoundSlots found = find_slots(given.topology, given.timing, given.flows, {.slots = 6});
        if (!found.table)
            continue;
        // One start is moved anywhere.
        FlowSlots& flow = found.table->flows[round % 2];
        flow.starts.assign(
            1, std::uniform_int_distribution<std::uint32_t>(0, 6 * given.timing.slot_cycles - 1)(random));
        std::vector<GuaranteedFlow> slow = given.flows; // so that one start suffices
        for (GuaranteedFlow& each : slow)
            each.message_cycles = 100'000;
        const bool is_apart = least_distance(given, *found.table) >= given.timing.slot_cycles;
        CHECK(check_slots(given.topology, given.timing, slow, *found.table).empty() == is_apart);
        (is_apart ? valid : invalid) += 1;
    }
    CHECK(valid > 20);
    CHECK(invalid > 5);
}

} // namespace nocturne::slot_table_test
