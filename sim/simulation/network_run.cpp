#include "sim/simulation/network_run.hpp"

#include "models/hardware/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace nocturne {
namespace {

/// Now, with the circular wait as its reason; without a reason if there is none.
Stall stall_of(Network& network, std::span<const WaitEdge> cycle)
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

} // namespace

void NetworkRun::run_to(Cycle end)
{
    constexpr Cycle poll_interval_cycles = 1024;
    const auto time_of = [&](Cycle cycle) {
        return sc_core::sc_time::from_value(network_.domain().period().value() * cycle);
    };
    const sc_core::sc_time last = time_of(end);
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION)
        run_kernel(sc_core::SC_ZERO_TIME); // what happens first is known only then
    while (!deadlock_ && sc_core::sc_time_stamp() < last && sc_core::sc_pending_activity()) {
        // Idle time is skipped: the next look comes after the next thing that happens.
        const sc_core::sc_time idle = sc_core::sc_time_to_pending_activity();
        const sc_core::sc_time left = last - sc_core::sc_time_stamp();
        const sc_core::sc_time interval = time_of(poll_interval_cycles);
        const sc_core::sc_time next = idle < left - std::min(left, interval) ? idle + interval : left;
        run_kernel(next);
        if (const std::vector<WaitEdge> cycle = watch_.look(network_.domain().now()); !cycle.empty())
            deadlock_ = stall_of(network_, cycle);
    }
}

void NetworkRun::drain()
{
    // Before the first cycle what will happen is not known; later an empty network may be all that there is.
    if (!deadlock_ && (sc_core::sc_get_status() == sc_core::SC_ELABORATION || sc_core::sc_pending_activity()))
        run_kernel();
}

std::optional<Stall> NetworkRun::stall() const
{
    if (network_.packets().in_flight() == 0)
        return std::nullopt;
    Stall stall = stall_of(network_, find_waiting_cycle(network_));
    if (stall.cycle.empty())
        stall.reason = fmt::format("{} messages are stuck in the network", network_.packets().in_flight());
    return stall;
}

std::optional<Stall> NetworkRun::checked_stall(const DeliveryCheck& check) const
{
    std::optional<Stall> stall = deadlock_ ? deadlock_ : this->stall();
    if (const std::string error = stall ? check.error() : check.final_error(); !error.empty())
        throw std::logic_error("delivery: " + error);
    return stall;
}

} // namespace nocturne
