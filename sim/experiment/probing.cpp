#include "sim/experiment/probing.hpp"

#include "sim/experiment/locate.hpp"
#include "sim/experiment/lost_messages.hpp"

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

using ProbeSteps = std::vector<std::vector<Probe>>;

MessageId message_of(const Probe& probe, const ProbedNetwork& network)
{
    return network.first_message + probe.suspect;
}

Workload probe_workload(const ProbeSteps& steps, const ProbedNetwork& network)
{
    Workload workload{"probes", "source routes", 1, Synchronization::barrier, StartUp::every_step, {}};
    workload.engines.assign(network.topology.processor_count(), std::vector<EngineStep>(steps.size()));
    for (std::uint32_t step = 0; step < steps.size(); ++step)
        for (const Probe& probe : steps[step]) {
            workload.engines[probe.source][step].sends.push_back(
                {message_of(probe, network), probe.destination, probe.route, step});
            ++workload.engines[probe.destination][step].expected;
        }
    return workload;
}

/// The suspects whose probes were lost. A step with a loss ends a run: those behind it are sent in the next.
std::vector<ChannelId> send_probes(RecoveryHost& host, const ProbedNetwork& network,
                                   const std::vector<Probe>& probes)
{
    const auto bytes = static_cast<std::uint32_t>(network.hardware.flit_bytes);
    std::vector<ChannelId> failed;
    ProbeSteps steps = probe_steps(network.topology, network.ports, probes);
    while (!steps.empty()) {
        const Workload workload = probe_workload(steps, network);
        const Patience patience = patience_of(workload, network.topology, network.hardware, bytes);
        host.program(workload, bytes, patience.time_out);
        const RunReport report = host.run(workload, patience);
        const std::vector<SentMessage> lost = lost_messages(workload, report, host.places());
        if (!report.is_done && lost.empty())
            throw std::runtime_error("recovery: a probe was late");
        for (const SentMessage& each : lost)
            failed.push_back(each.sending->message - network.first_message);
        steps.erase(steps.begin(), report.is_done ? steps.end() : steps.begin() + lost.front().step + 1);
    }
    return failed;
}

} // namespace

ProbingResult probe_suspects(RecoveryHost& host, const ProbedNetwork& network,
                             std::vector<ChannelId> suspects)
{
    ProbingResult result;
    std::vector<bool> tested(network.topology.channel_count());
    std::vector<bool> has_failed(network.topology.channel_count());
    while (!suspects.empty()) {
        std::vector<bool> avoided = has_failed;
        for (const ChannelId id : suspects)
            avoided[id] = tested[id] = true;
        std::vector<Probe> probes;
        for (const ChannelId id : suspects)
            if (auto probe = make_probe(network.topology, id, avoided))
                probes.push_back(std::move(*probe));
            else
                has_failed[id] = true;
        for (const ChannelId id : send_probes(host, network, probes))
            has_failed[id] = true;
        result.probes += static_cast<std::uint32_t>(probes.size());
        result.failed.clear();
        for (ChannelId id = 0; id < has_failed.size(); ++id)
            if (has_failed[id])
                result.failed.push_back(id);
        suspects = neighbours(network.topology, result.failed);
        std::erase_if(suspects, [&](ChannelId id) { return tested[id]; });
    }
    return result;
}

} // namespace nocturne
