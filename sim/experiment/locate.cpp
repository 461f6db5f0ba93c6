#include "sim/experiment/locate.hpp"

#include <algorithm>
#include <deque>
#include <set>

namespace nocturne {

namespace {

using Channels = std::vector<ChannelId>;

/// A shortest path from any of some routers to any of others, without channels that are avoided.
std::optional<Channels> connect(const Topology& topology, const std::vector<bool>& from,
                                const std::vector<bool>& to, const std::vector<bool>& avoided)
{
    std::vector<std::optional<ChannelId>> by(topology.router_count());
    std::vector<bool> seen = from;
    std::deque<RouterId> open;
    for (RouterId id = 0; id < from.size(); ++id)
        if (from[id])
            open.push_back(id);
    for (; !open.empty(); open.pop_front()) {
        if (to[open.front()]) {
            Channels path;
            for (RouterId at = open.front(); by[at]; at = topology.channel(*by[at]).source)
                path.push_back(*by[at]);
            std::reverse(path.begin(), path.end());
            return path;
        }
        for (const ChannelId id : topology.channels_from(open.front())) {
            const RouterId next = topology.channel(id).target;
            if (avoided[id] || seen[next])
                continue;
            seen[next] = true;
            by[next] = id;
            open.push_back(next);
        }
    }
    return std::nullopt;
}

std::vector<bool> only(const Topology& topology, RouterId router)
{
    std::vector<bool> set(topology.router_count());
    set[router] = true;
    return set;
}

} // namespace

Channels suspected_channels(const std::vector<Route>& lost, const Channels& cleared)
{
    std::set<ChannelId> suspects;
    for (const Route& route : lost)
        for (const Hop& hop : route)
            suspects.insert(hop.channel);
    for (const ChannelId id : cleared)
        suspects.erase(id);
    return {suspects.begin(), suspects.end()};
}

std::optional<Probe> make_probe(const Topology& topology, ChannelId suspect, const std::vector<bool>& avoided)
{
    std::vector<bool> injecting(topology.router_count());
    std::vector<bool> ejecting(topology.router_count());
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        injecting[id] = !topology.processors_injecting_into(id).empty();
        ejecting[id] = !topology.processors_ejected_by(id).empty();
    }
    const Channel& channel = topology.channel(suspect);
    const auto before = connect(topology, injecting, only(topology, channel.source), avoided);
    const auto behind = connect(topology, only(topology, channel.target), ejecting, avoided);
    if (!before || !behind)
        return std::nullopt;
    Channels path = *before;
    path.push_back(suspect);
    path.insert(path.end(), behind->begin(), behind->end());
    Probe probe{suspect,
                topology.processors_injecting_into(topology.channel(path.front()).source).front(),
                topology.processors_ejected_by(topology.channel(path.back()).target).front(),
                {}};
    for (const ChannelId id : path)
        probe.route.push_back({id, 0});
    return probe;
}

std::vector<std::vector<Probe>> probe_steps(const Topology& topology, PortModel ports,
                                            const std::vector<Probe>& probes)
{
    struct Used {
        std::set<ChannelId> channels;
        std::vector<unsigned> sends;
        std::vector<unsigned> receives;
    };
    std::vector<std::vector<Probe>> steps;
    std::vector<Used> used;
    for (const Probe& probe : probes) {
        std::size_t step = 0;
        const auto fits = [&](const Used& in) {
            return in.sends[probe.source] < send_ports(topology, probe.source, ports) &&
                   in.receives[probe.destination] < receive_ports(topology, probe.destination, ports) &&
                   std::none_of(probe.route.begin(), probe.route.end(),
                                [&](const Hop& hop) { return in.channels.count(hop.channel) != 0; });
        };
        while (step < steps.size() && !fits(used[step]))
            ++step;
        if (step == steps.size()) {
            steps.emplace_back();
            used.push_back({{},
                            std::vector<unsigned>(topology.processor_count()),
                            std::vector<unsigned>(topology.processor_count())});
        }
        steps[step].push_back(probe);
        ++used[step].sends[probe.source];
        ++used[step].receives[probe.destination];
        for (const Hop& hop : probe.route)
            used[step].channels.insert(hop.channel);
    }
    return steps;
}

Channels neighbours(const Topology& topology, const Channels& failed)
{
    std::set<ChannelId> result;
    for (const ChannelId id : failed)
        for (const RouterId end : {topology.channel(id).source, topology.channel(id).target}) {
            result.insert(topology.channels_from(end).begin(), topology.channels_from(end).end());
            result.insert(topology.channels_to(end).begin(), topology.channels_to(end).end());
        }
    return {result.begin(), result.end()};
}

Faults conclude(const Topology& topology, const Channels& failed)
{
    const std::set<ChannelId> bad(failed.begin(), failed.end());
    const auto all_bad = [&](std::span<const ChannelId> channels) {
        return std::all_of(channels.begin(), channels.end(),
                           [&](ChannelId id) { return bad.count(id) != 0; });
    };
    Faults faults;
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (topology.channels_from(id).size() + topology.channels_to(id).size() >= 2 &&
            all_bad(topology.channels_from(id)) && all_bad(topology.channels_to(id)))
            faults.routers.push_back(id);
    const auto has_failed = [&](RouterId id) {
        return std::find(faults.routers.begin(), faults.routers.end(), id) != faults.routers.end();
    };
    for (const ChannelId id : bad)
        if (!has_failed(topology.channel(id).source) && !has_failed(topology.channel(id).target))
            faults.channels.push_back(id);
    return faults;
}

} // namespace nocturne
