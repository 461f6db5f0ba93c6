#include "sim/recovery/probe.hpp"

#include <algorithm>
#include <set>

namespace nocturne {

std::vector<ChannelId> suspected_channels(const Topology& topology, const std::vector<LostPath>& lost,
                                          const std::vector<ChannelId>& cleared)
{
    std::set<ChannelId> suspects;
    for (const auto& [source, path] : lost) {
        suspects.insert(path.begin(), path.end());
        if (!path.empty())
            continue;
        const RouterId router = topology.processor(source).injection;
        for (const auto channels : {topology.channels_from(router), topology.channels_to(router)})
            suspects.insert(channels.begin(), channels.end());
    }
    for (const ChannelId id : cleared)
        suspects.erase(id);
    return {suspects.begin(), suspects.end()};
}

std::vector<std::vector<std::size_t>> probe_steps(const Topology& topology, PortModel ports,
                                                  const std::vector<Probe>& probes)
{
    struct Used {
        std::set<ChannelId> channels;
        std::vector<unsigned> sends;
        std::vector<unsigned> receives;
    };
    std::vector<std::vector<std::size_t>> steps;
    std::vector<Used> used;
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const Probe& probe = probes[i];
        std::size_t step = 0;
        const auto fits = [&](const Used& in) {
            return in.sends[probe.source] < send_ports(topology, probe.source, ports) &&
                   in.receives[probe.destination] < receive_ports(topology, probe.destination, ports) &&
                   std::none_of(
                       probe.path.begin(), probe.path.end(),
                       [&](ChannelId id) { return in.channels.count(id) != 0; });
        };
        while (step < steps.size() && !fits(used[step]))
            ++step;
        if (step == steps.size()) {
            steps.emplace_back();
            used.push_back({{},
                            std::vector<unsigned>(topology.processor_count()),
                            std::vector<unsigned>(topology.processor_count())});
        }
        steps[step].push_back(i);
        ++used[step].sends[probe.source];
        ++used[step].receives[probe.destination];
        used[step].channels.insert(probe.path.begin(), probe.path.end());
    }
    return steps;
}

} // namespace nocturne
