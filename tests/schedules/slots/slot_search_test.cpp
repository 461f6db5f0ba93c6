#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/slots/slot_search.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/slots/random_slots.hpp"

namespace nocturne::slot_search_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// Is there a table with one start for each flow, over all minimal paths and starts?
bool exists(const SlotCase& given, SlotTable& table, std::size_t flow)
{
    if (flow == given.flows.size())
        return check_slots(given.topology, given.timing, given.flows, table).empty();
    PathEnumerator paths(given.topology, given.flows[flow].source, given.flows[flow].destination);
    while (const std::optional<Path> path = paths.next())
        for (std::uint32_t start = 0; start < table.slots * given.timing.slot_cycles; ++start) {
            table.flows[flow] = {*path, {start}};
            if (exists(given, table, flow + 1))
                return true;
        }
    return false;
}

SlotCase uniform_case(const char* name)
{
    SlotCase given{make_topology(name), {}, {}};
    given.timing.channel_cycles.assign(given.topology.channel_count(), 5);
    return given;
}

} // namespace

TEST_CASE("tables for random flows keep packets apart, and rates", "[schedules][slots]")
{
    std::mt19937 random(3);
    unsigned tables = 0;
    for (unsigned round = 0; round < 120; ++round) {
        SlotCase given = random_slot_case(random, 1 + round % 8, 0.2);
        for (GuaranteedFlow& flow : given.flows)
            if (round % 2 == 0)
                flow.latency_cycles = 40 + 30 * packets_of(flow, given.timing) * flow.burst_messages;
        const FoundSlots found = find_slots(given.topology, given.timing, given.flows,
                                            {.slots = 1u << (2 + round % 3), .conflicts = 2000});
        if (!found.table) {
            CHECK(!found.reason.empty());
            continue;
        }
        ++tables;
        CHECK(least_distance(given, *found.table) >= given.timing.slot_cycles);
        CHECK(check_slots(given.topology, given.timing, given.flows, *found.table).empty());
        for (std::size_t flow = 0; flow < given.flows.size(); ++flow) {
            // Messages of its rate, for as long as one likes: their packets in a period.
            const double packets = static_cast<double>(packets_of(given.flows[flow], given.timing)) *
                                   static_cast<double>(found.table->period_cycles(given.timing)) /
                                   static_cast<double>(given.flows[flow].message_cycles);
            CHECK(static_cast<double>(found.table->flows[flow].starts.size()) >= packets - 1e-9);
        }
    }
    CHECK(tables > 40);
}

TEST_CASE("both engines find tables exactly where there are some", "[schedules][slots]")
{
    std::mt19937 random(5);
    unsigned feasible = 0, infeasible = 0;
    for (unsigned round = 0; round < 150; ++round) {
        SlotCase given = random_slot_case(random, 3, 0.1);
        given.timing.slot_flits = 12;
        given.timing.slot_cycles = 3; // no real packets: what matters is the search
        for (GuaranteedFlow& flow : given.flows) {
            flow.message_cycles = 100;
            flow.source %= 3; // so that they are in each other's way
            flow.destination = 3 + flow.destination % 2;
        }
        const SlotSearch search{.slots = 2, .paths = 512};
        const FoundSlots found = find_slots(given.topology, given.timing, given.flows, search);
        SlotTable table{2, std::vector<FlowSlots>(3)};
        const bool has_table = exists(given, table, 0);
        // Starts need not be multiples of what all delays are: with others there is nothing to gain.
        CHECK(found.table.has_value() == has_table);
        CHECK(found.is_proof == !has_table);
        (has_table ? feasible : infeasible) += 1;
    }
    CHECK(feasible > 20);
    CHECK(infeasible > 5);
}

TEST_CASE("why there is no slot table is said", "[schedules][slots]")
{
    SlotCase given = uniform_case("mesh:3x3");
    given.flows = {{0, 8, 3, 8}, {1, 8, 3, 8}, {2, 5, 3, 8}};
    FoundSlots found = find_slots(given.topology, given.timing, given.flows, {});
    CHECK(!found.table);
    CHECK(found.is_proof);
    CHECK(found.reason == "22->P22 is asked for 320 slots of 256 by 2 flows whose paths all lead over it");
    // Each half of what a link has, in a period of three slots: two of them, and another two.
    given.flows = {{0, 2, 3, 10}, {1, 2, 3, 10}};
    found = find_slots(given.topology, given.timing, given.flows, {.slots = 3});
    CHECK(found.reason == "01->02 is asked for 4 slots of 3 by 2 flows whose paths all lead over it");
    CHECK(find_slots(given.topology, given.timing, given.flows, {}).table->slots == 2);

    const auto refused = [&](const GuaranteedFlow& flow, const SlotSearch& search = {}) {
        try {
            find_slots(given.topology, given.timing, {flow}, search);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK_THAT(refused({4, 4, 3, 100}), Contains("flow 11 to 11: from a processor to itself"));
    CHECK_THAT(refused({0, 4, 7, 14}), Contains("all slots of a link carry one each 15"));
    CHECK_THAT(refused({0, 4, 3, 100, 1, 15}), Contains("without any waiting it is 19"));
    CHECK_THAT(refused({0, 4, 3, 100}, {.slots = 0}), Contains("0 slots: from 1 to"));
    CHECK_THROWS_WITH(find_slots(given.topology, given.timing, {}, {}), Contains("no flow"));
}

} // namespace nocturne::slot_search_test
