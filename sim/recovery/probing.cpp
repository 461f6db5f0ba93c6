#include "sim/recovery/probing.hpp"

#include "models/routing/paths.hpp"
#include "sim/recovery/lost_messages.hpp"

#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

using ProbeSteps = std::vector<std::vector<std::size_t>>;

Workload probe_workload(const std::vector<Probe>& probes, const ProbeSteps& steps,
                        const ProbedNetwork& network)
{
    Workload workload{"probes", "source routes", 1, Synchronization::barrier, StartUp::every_step, {}};
    workload.engines.assign(network.topology.processor_count(), std::vector<EngineStep>(steps.size()));
    for (std::uint32_t step = 0; step < steps.size(); ++step)
        for (const std::size_t i : steps[step]) {
            const Probe& probe = probes[i];
            workload.engines[probe.source][step].sends.push_back(
                {network.first_message + static_cast<MessageId>(i), probe.destination,
                 route_along(probe.path), step});
            ++workload.engines[probe.destination][step].expected;
        }
    return workload;
}

/// The probes that were lost. A step with a loss ends a run: those behind it are sent in the next.
std::set<std::size_t> send_probes(RecoveryHost& host, const ProbedNetwork& network,
                                  const std::vector<Probe>& probes)
{
    const std::uint64_t bytes = network.hardware.flit_bytes;
    std::set<std::size_t> all_lost;
    ProbeSteps steps = probe_steps(network.topology, network.ports, probes);
    while (!steps.empty()) {
        const Workload workload = probe_workload(probes, steps, network);
        const Timeouts timeouts = timeouts_for(workload, network.topology, network.hardware, bytes);
        host.program(workload, bytes, timeouts);
        const RunReport report = host.run(timeouts);
        const std::vector<SentMessage> lost = lost_messages(workload, report);
        if (!report.is_done && lost.empty())
            throw std::runtime_error("recovery: a probe was late");
        for (const SentMessage& each : lost)
            all_lost.insert(each.sending->message - network.first_message);
        steps.erase(steps.begin(), report.is_done ? steps.end() : steps.begin() + lost.front().step + 1);
    }
    return all_lost;
}

} // namespace

std::uint32_t send_all_probes(RecoveryHost& host, const ProbedNetwork& network, FaultLocator& locator)
{
    std::uint32_t sent = 0;
    for (std::vector<Probe> probes = locator.next_probes(); !probes.empty(); probes = locator.next_probes()) {
        const std::set<std::size_t> lost = send_probes(host, network, probes);
        for (std::size_t i = 0; i < probes.size(); ++i)
            locator.note(probes[i], lost.count(i) == 0);
        sent += static_cast<std::uint32_t>(probes.size());
    }
    return sent;
}

} // namespace nocturne
