#include "models/topology/make_topology.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_search.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/slots/random_slots.hpp"

namespace nocturne::contract_test {

using namespace nocturne::test;

TEST_CASE("a lone slot is missed by a cycle, and waited for a period", "[schedules][slots]")
{
    // Injection 5 cycles, two channels of 5, ejection 1, 16 flits in slots of 3: six packets.
    const Topology topology = make_topology("mesh:1x3");
    SlotTiming timing;
    timing.channel_cycles.assign(topology.channel_count(), 5);
    const GuaranteedFlow flow{0, 2, 16, 1000};
    ChannelId first = topology.channels_from(0)[0];
    ChannelId second = topology.channels_from(1)[0];
    if (topology.channel(second).target != 2)
        second = topology.channels_from(1)[1];
    const FlowSlots slots{{first, second}, {10}};
    // From the head's entry into the injection link: 15 to the ejection link, 1 on it; one flit is left for
    // the last packet. Interface 1.
    CHECK(cycles_without_waiting(topology, timing, flow, slots.path) == 1 + 15 + 1 + 0);
    const Contract contract = contract_of(topology, timing, flow, slots, 8);
    CHECK(contract.latency_cycles == 6 * 40 - 1 + 17);
    CHECK(contract.message == 0);
}

TEST_CASE("the latency of a contract is the longest of all phases, message by message", "[schedules][slots]")
{
    std::mt19937 random(7);
    unsigned tables = 0;
    for (unsigned round = 0; round < 60; ++round) {
        const SlotCase given = random_slot_case(random, 1 + round % 4, 0.15);
        const FoundSlots found = find_slots(given.topology, given.timing, given.flows, {.slots = 8});
        if (!found.table)
            continue;
        ++tables;
        for (std::size_t flow = 0; flow < given.flows.size(); ++flow)
            CHECK(contract_of(given.topology, given.timing, given.flows[flow], found.table->flows[flow],
                              found.table->slots)
                      .latency_cycles == longest_latency(given, flow, *found.table));
    }
    CHECK(tables > 30);
}

} // namespace nocturne::contract_test
