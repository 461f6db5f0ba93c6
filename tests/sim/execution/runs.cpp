#include "tests/sim/execution/runs.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/report/results.hpp"

#include <fmt/format.h>

namespace nocturne::test {

namespace {

RunResult run(const UnscheduledCase& each)
{
    const Topology topology = make_topology(each.topology);
    const Routing routing = make_routing(topology, each.routing);
    SimulationOptions options;
    options.hardware.vcs = routing.vc_classes;
    options.hardware.buffer_flits = each.buffer_flits;
    options.ports = each.ports;
    options.message_bytes = each.message_bytes;
    const Workload workload = unscheduled(topology, each.collective, each.ports, routing, each.traffic);
    return simulate(topology, each.collective, workload, options).run;
}

} // namespace

std::vector<ReplayResult> replay_all(const std::vector<ReplayCase>& cases)
{
    return in_workers(cases, [](const ReplayCase& each) {
        return replay_in_this_process(each.schedule, each.topology, each.synchronization, each.options);
    });
}

std::string to_string(const UnscheduledCase& each)
{
    return fmt::format("{} {} {} on {} with {} ports", nocturne::to_string(each.collective.kind),
                       nocturne::to_string(each.traffic), each.routing, each.topology,
                       nocturne::to_string(each.ports));
}

std::vector<RunResult> run_all(const std::vector<UnscheduledCase>& cases)
{
    return in_workers(cases, run);
}

} // namespace nocturne::test
