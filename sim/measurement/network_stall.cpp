#include "sim/measurement/network_stall.hpp"

#include "models/hardware/stall.hpp"

#include <fmt/format.h>

namespace nocturne {

Stall explain_network_stall(Network& network)
{
    // Times are whole picoseconds: dividing them by a time keeps them exact.
    Stall stall{sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS), "", {}};
    const auto name = [&](ProcessorId id) { return network.topology().processor(id).name; };
    for (const WaitEdge& edge : find_waiting_cycle(network)) {
        const Packet& packet = network.packets()[edge.packet];
        stall.cycle.push_back({network.link_name(edge.link), edge.vc,
                               fmt::format("{}>{}", name(packet.source), name(packet.destination)),
                               network.link_name(edge.wanted_link)});
    }
    if (!stall.cycle.empty())
        stall.reason =
            fmt::format("deadlock: {} virtual channels wait for each other in a circle", stall.cycle.size());
    else if (network.packets().in_flight() > 0)
        stall.reason = fmt::format("{} messages are stuck in the network", network.packets().in_flight());
    return stall;
}

} // namespace nocturne
