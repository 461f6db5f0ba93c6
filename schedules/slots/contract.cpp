#include "schedules/slots/contract.hpp"

namespace nocturne {

std::uint64_t cycles_without_waiting(const Topology& topology, const SlotTiming& timing,
                                     const GuaranteedFlow& flow, const Path& path)
{
    const SlotLinks links(topology);
    const std::uint64_t tail = (flow.message_flits - 1) % timing.slot_flits;
    return timing.interface_cycles + links_of(links, timing, flow, path).back().after_cycles +
           timing.ejection_cycles + tail;
}

Contract contract_of(const Topology& topology, const SlotTiming& timing, const GuaranteedFlow& flow,
                     const FlowSlots& slots, std::uint32_t period_slots)
{
    const std::uint64_t period = std::uint64_t{period_slots} * timing.slot_cycles;
    const std::uint64_t packets = packets_of(flow, timing);
    const std::uint64_t on_the_way = cycles_without_waiting(topology, timing, flow, slots.path);
    const std::uint64_t count = slots.starts.size();
    Contract contract;
    // Of those that come at once the last one takes longest.
    for (std::uint64_t later = 0; later <= count; ++later) {
        const std::uint64_t message = flow.burst_messages - 1 + later;
        const std::uint64_t came = later * flow.message_cycles;
        for (std::uint32_t missed = 0; missed < count; ++missed) {
            const std::uint64_t last = missed + (message + 1) * packets; // starts, counted from the period's
            const std::uint64_t leaves = slots.starts[last % count] + last / count * period;
            const std::uint64_t begins = std::uint64_t{slots.starts[missed]} + 1;
            if (leaves < begins + came)
                continue; // it has not come yet: the busy time is over
            const std::uint64_t latency = leaves - begins - came + on_the_way;
            if (latency > contract.latency_cycles)
                contract = {latency, missed, message};
        }
    }
    return contract;
}

} // namespace nocturne
