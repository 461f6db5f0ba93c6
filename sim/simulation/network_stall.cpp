#include "sim/simulation/network_stall.hpp"

#include "models/hardware/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

Stall explain_deadlock(Network& network, std::span<const WaitEdge> cycle)
{
    // Times are whole picoseconds: dividing them by a time keeps them exact.
    Stall stall{sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS), "", {}};
    const auto name = [&](ProcessorId id) { return network.topology().processor(id).name; };
    for (const WaitEdge& edge : cycle) {
        const Packet& packet = network.packets()[edge.packet];
        stall.cycle.push_back({network.link_name(edge.link), edge.vc,
                               fmt::format("{}>{}", name(packet.source), name(packet.destination)),
                               network.link_name(edge.wanted_link)});
    }
    if (!stall.cycle.empty())
        stall.reason = fmt::format("deadlock: {} virtual channels in a circular wait", stall.cycle.size());
    return stall;
}

std::optional<Stall> run_watched(Network& network, DeadlockWatch& watch, Cycle end)
{
    constexpr Cycle look_interval_cycles = 1024;
    const auto time_of = [&](Cycle cycle) {
        return sc_core::sc_time::from_value(network.domain().period().value() * cycle);
    };
    const sc_core::sc_time last = time_of(end);
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION)
        run_kernel(sc_core::SC_ZERO_TIME); // what happens first is known only then
    while (sc_core::sc_time_stamp() < last && sc_core::sc_pending_activity()) {
        // Idle time is skipped: the next look comes after the next thing that happens.
        const sc_core::sc_time idle = sc_core::sc_time_to_pending_activity();
        const sc_core::sc_time left = last - sc_core::sc_time_stamp();
        const sc_core::sc_time interval = time_of(look_interval_cycles);
        const sc_core::sc_time next = idle < left - std::min(left, interval) ? idle + interval : left;
        run_kernel(next);
        if (const std::vector<WaitEdge> cycle = watch.look(network.domain().now()); !cycle.empty())
            return explain_deadlock(network, cycle);
    }
    return std::nullopt;
}

Stall explain_network_stall(Network& network)
{
    Stall stall = explain_deadlock(network, find_waiting_cycle(network));
    if (stall.cycle.empty() && network.packets().in_flight() > 0)
        stall.reason = fmt::format("{} messages are stuck in the network", network.packets().in_flight());
    return stall;
}

} // namespace nocturne
