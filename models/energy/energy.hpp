// Energy of a run: what moved, times what that costs.
#pragma once

#include "models/energy/activity.hpp"
#include "models/energy/energy_table.hpp"

#include <vector>

namespace nocturne {

/// pJ.
struct RouterEnergy {
    double buffers = 0;
    double crossbar = 0;
    double arbitration = 0;
    double clock = 0;   ///< of every cycle, busy or not
    double leakage = 0; ///< likewise

    double total() const { return buffers + crossbar + arbitration + clock + leakage; }
    RouterEnergy& operator+=(const RouterEnergy& other);
};

/// Of a network over a run.
struct NetworkEnergy {
    std::vector<RouterEnergy> routers; ///< by router
    std::vector<double> channels_pj;   ///< by channel of the topology; injection and ejection have no length
    double time_ns = 0;

    RouterEnergy all_routers() const;
    double all_channels_pj() const;
    double total_pj() const { return all_routers().total() + all_channels_pj(); }
    /// Mean power; pJ/ns = mW. 0 of a run that took no time.
    double power_mw() const { return time_ns > 0 ? total_pj() / time_ns : 0; }
};

struct EnergyConditions {
    unsigned flit_bytes = 4;
    double cycle_ns = 2;
};

/// Throws as router_activity().
NetworkEnergy network_energy(const Topology& topology, PortModel ports, const Activity& activity,
                             const EnergyTable& table, const EnergyConditions& conditions);

} // namespace nocturne
