#include "models/topology/make_topology.hpp"
#include "schedules/slots/slot_search.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/slots/random_slots.hpp"

#include <algorithm>

namespace nocturne::slot_packing_test {

using namespace nocturne::test;

namespace {

SlotCase all_to_all(const char* name)
{
    SlotCase given{make_topology(name), {}, {}};
    given.timing.channel_cycles.assign(given.topology.channel_count(), 5);
    const auto count = static_cast<ProcessorId>(given.topology.processor_count());
    for (ProcessorId source = 0; source < count; ++source)
        for (ProcessorId destination = 0; destination < count; ++destination)
            if (source != destination)
                given.flows.push_back({source, destination, 3, 5000});
    return given;
}

} // namespace

TEST_CASE("an all-to-all has a table at or near the bound by its loads", "[schedules][slots]")
{
    struct Case {
        const char* topology;
        std::uint32_t most;  ///< slots
        std::uint32_t bound; ///< by the loads of channels and interfaces
    };
    // Published are 19, 85 and 151 for the tori (Sørensen et al., ISORC 2014).
    const std::vector<Case> by_day{{"torus:4x4", 16, 15}, {"mesh:4x4", 16, 16}, {"ring:6", 6, 5}};
    const std::vector<Case> by_night{
        {"hypercube:4", 16, 15}, {"torus:8x8", 64, 64}, {"torus:10x10", 128, 125}, {"mesh:8x8", 128, 128}};
    std::vector<Case> cases = by_day;
    if (is_nightly())
        cases.insert(cases.end(), by_night.begin(), by_night.end());
    for (const Case& each : cases) {
        CAPTURE(each.topology);
        const SlotCase given = all_to_all(each.topology);
        const FoundSlots found = find_slots(given.topology, given.timing, given.flows, {});
        REQUIRE(found.table);
        CHECK(found.table->slots <= each.most);
        CHECK(found.table->slots >= each.bound);
        CHECK(check_slots(given.topology, given.timing, given.flows, *found.table).empty());
        if (each.most == each.bound)
            CHECK(*find_slots(given.topology, given.timing, given.flows, {}).table == *found.table);
        // One slot fewer than the bound is refused without a search.
        const FoundSlots fewer =
            find_slots(given.topology, given.timing, given.flows, {.slots = each.bound - 1});
        CHECK(!fewer.table);
        CHECK(fewer.is_proof);
    }
}

TEST_CASE("the period is the shortest one that has a table", "[schedules][slots]")
{
    std::mt19937 random(23);
    unsigned longer_than_one = 0;
    for (unsigned round = 0; round < 60; ++round) {
        const SlotCase given = random_slot_case(random, 2 + round % 5, 0.15);
        const FoundSlots found = find_slots(given.topology, given.timing, given.flows, {.conflicts = 20'000});
        if (!found.table)
            continue;
        longer_than_one += found.table->slots > 1 ? 1 : 0;
        for (std::uint32_t slots = 1; slots < std::min(found.table->slots, 12u); ++slots) {
            CAPTURE(round, slots, found.table->slots);
            CHECK(!find_slots(given.topology, given.timing, given.flows, {.slots = slots, .conflicts = 2000})
                       .table);
        }
    }
    CHECK(longer_than_one > 20);
}

} // namespace nocturne::slot_packing_test
