#include "models/energy/energy.hpp"

#include <numeric>

namespace nocturne {

namespace {

double of(std::uint64_t count, double pj)
{
    return static_cast<double>(count) * pj;
}

/// Of a router's own clock, in so many of the network's.
double own_cycles(const ClockRatio& clock, std::uint64_t cycles)
{
    return static_cast<double>(cycles) * clock.ticks / clock.base;
}

double length_mm(const Channel& channel, const EnergyTable& table)
{
    return (channel.length > 0 ? channel.length : 1) * table.link_mm;
}

} // namespace

RouterEnergy& RouterEnergy::operator+=(const RouterEnergy& other)
{
    buffers += other.buffers;
    crossbar += other.crossbar;
    arbitration += other.arbitration;
    clock += other.clock;
    leakage += other.leakage;
    return *this;
}

RouterEnergy NetworkEnergy::all_routers() const
{
    RouterEnergy sum;
    for (const RouterEnergy& router : routers)
        sum += router;
    return sum;
}

double NetworkEnergy::all_channels_pj() const
{
    return std::accumulate(channels_pj.begin(), channels_pj.end(), 0.0);
}

NetworkEnergy network_energy(const Topology& topology, PortModel ports, const Activity& activity,
                             const EnergyTable& table, const EnergyConditions& conditions)
{
    const FlitEnergy flit = table.at(conditions.flit_bytes);
    NetworkEnergy energy;
    energy.time_ns = static_cast<double>(activity.cycles) * conditions.cycle_ns;
    const std::vector<RouterActivity> activities = router_activity(topology, ports, activity);
    for (RouterId id = 0; id < activities.size(); ++id) {
        const RouterActivity& router = activities[id];
        energy.routers.push_back(
            {.buffers = of(router.buffer_writes, flit.buffer_write_pj) +
                        of(router.buffer_reads, flit.buffer_read_pj),
             .crossbar = of(router.crossbar_traversals, flit.crossbar_pj),
             .arbitration = of(router.switch_grants + router.vc_grants, table.arbitration_pj),
             .clock = own_cycles(topology.part(id).clock, activity.cycles) * table.clock_pj,
             .leakage = energy.time_ns * table.leakage_mw});
    }
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        energy.channels_pj.push_back(of(activity.links[id].flits * conditions.flit_bytes,
                                        table.link_pj_per_byte_mm * length_mm(topology.channel(id), table)));
    return energy;
}

} // namespace nocturne
