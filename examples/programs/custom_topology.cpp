// A network that no generator knows: two stars with two links between their centres, one of them slow. Its
// measures, a schedule for an all-to-all scatter with its lower bound, and the schedule replayed.
#include "models/topology/topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/replay/replay.hpp"

#include <fmt/format.h>

int main()
{
    nocturne::Topology network("two_stars");
    const nocturne::RouterId centres[] = {network.add_router("west"), network.add_router("east")};
    for (const nocturne::RouterId centre : centres)
        for (int leaf = 0; leaf < 3; ++leaf) {
            const nocturne::RouterId router =
                network.add_router(fmt::format("{}{}", network.router_name(centre), leaf));
            network.add_link(centre, router);
            network.add_processor(router);
        }
    network.add_link(centres[0], centres[1]);
    network.add_channel({.source = centres[0], .target = centres[1], .latency_cycles = 4});
    network.add_channel({.source = centres[1], .target = centres[0], .latency_cycles = 4});

    const nocturne::Problem problem = nocturne::make_problem(
        network, nocturne::alltoall({static_cast<std::uint32_t>(network.processor_count())}));
    const nocturne::PortfolioResult found = nocturne::find_schedule(problem);
    fmt::print("{} steps, at least {}: {}\n", found.schedule->steps.size(), found.bound().steps,
               found.bound().reason);

    nocturne::SimulationOptions options;
    options.message_bytes = 256;
    // As many as each link needs at full rate. With the default of 8 the link of latency 4 waits for credits,
    // which the model does not know.
    options.hardware.buffer_flits = 0;
    const nocturne::ReplayResult replay =
        nocturne::replay(*found.schedule, network, nocturne::Synchronization::barrier, options);
    fmt::print("{} bytes: {} ns, the model says {} ns and {} ns for the way\n", replay.run.message_bytes,
               replay.run.time_ns, replay.model_time_ns, *replay.hop_overhead_ns);
    return replay.run.memory_ok ? 0 : 1;
}
