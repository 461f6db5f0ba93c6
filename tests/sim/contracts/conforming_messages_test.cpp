#include "models/topology/make_topology.hpp"
#include "sim/contracts/conforming_messages.hpp"
#include "tests/catch.hpp"

#include <vector>

namespace nocturne::conforming_messages_test {

TEST_CASE("a flow that does its worst keeps to its rate and bursts", "[sim][contracts]")
{
    const Topology topology = make_topology("mesh:1x2");
    SlotTiming timing;
    timing.channel_cycles.assign(topology.channel_count(), 5);
    const std::uint32_t burst = GENERATE(1u, 2u, 5u);
    const GuaranteedFlow flow{0, 1, 5, 37, burst};
    const FlowSlots slots{{0}, {0, 5, 20}};
    const Contract contract = contract_of(topology, timing, flow, slots, 8);
    ConformingMessages messages(flow, contract, slots, timing, 40, 1);
    std::vector<std::uint64_t> cycles;
    for (unsigned i = 0; i < 3000; ++i)
        cycles.push_back(messages.next());
    unsigned together = 0, worst_phases = 0, early = 0;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
        together += i > 0 && cycles[i] == cycles[i - 1] ? 1 : 0;
        // In any time from one message to another: `burst`, and one more each 37 cycles.
        for (std::size_t before = 0; before < i; ++before)
            if (i - before + 1 > burst)
                early += cycles[i] - cycles[before] < (i - before + 1 - burst) * 37 ? 1 : 0;
        const bool is_silent = i == 0 || cycles[i] - cycles[i - 1] >= burst * 37;
        worst_phases +=
            is_silent && (cycles[i] + timing.interface_cycles) % 40 == slots.starts[contract.missed_start] + 1
                ? 1
                : 0;
    }
    CHECK(early == 0);
    CHECK(worst_phases > 20);
    CHECK((together > 0) == (burst > 1));
}

} // namespace nocturne::conforming_messages_test
