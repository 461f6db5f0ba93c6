#include "tests/models/topology/check_invariants.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <queue>
#include <set>

namespace nocturne::test {

std::vector<unsigned> hops_from(const Topology& topology, RouterId source)
{
    std::vector<unsigned> hops(topology.router_count(), unreachable);
    std::queue<RouterId> waiting;
    hops[source] = 0;
    waiting.push(source);
    for (; !waiting.empty(); waiting.pop())
        for (const ChannelId id : topology.channels_from(waiting.front()))
            if (const RouterId next = topology.channel(id).target; hops[next] == unreachable) {
                hops[next] = hops[waiting.front()] + 1;
                waiting.push(next);
            }
    return hops;
}

namespace {

/// Each of 0..count-1 is in exactly one of the lists, the one of the router that `owner` says, in ascending
/// order.
template <class List, class Owner>
bool partitions(const Topology& topology, std::size_t count, List list, Owner owner)
{
    std::size_t found = 0;
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        const auto ids = list(r);
        if (std::ranges::adjacent_find(ids, std::ranges::greater_equal{}) != ids.end())
            return false;
        for (const auto id : ids)
            if (id >= count || owner(id) != r)
                return false;
        found += ids.size();
    }
    return found == count;
}

bool every_processor_reaches_every_other(const Topology& topology)
{
    std::set<RouterId> sources;
    for (const Processor& processor : topology.processors())
        sources.insert(processor.injection);
    return std::ranges::all_of(sources, [&](RouterId source) {
        const std::vector<unsigned> hops = hops_from(topology, source);
        return std::ranges::all_of(topology.processors(),
                                   [&](const Processor& to) { return hops[to.ejection] != unreachable; });
    });
}

bool positions_differ(const Topology& topology)
{
    std::set<std::pair<double, double>> places;
    for (RouterId r = 0; r < topology.router_count(); ++r)
        if (const auto place = topology.position(r); place && !places.emplace(place->x, place->y).second)
            return false;
    return true;
}

} // namespace

void check_invariants(const Topology& topology)
{
    INFO(topology.name());
    CHECK(partitions(
        topology, topology.channel_count(), [&](RouterId r) { return topology.channels_from(r); },
        [&](ChannelId id) { return topology.channel(id).source; }));
    CHECK(partitions(
        topology, topology.channel_count(), [&](RouterId r) { return topology.channels_to(r); },
        [&](ChannelId id) { return topology.channel(id).target; }));
    CHECK(partitions(
        topology, topology.processor_count(),
        [&](RouterId r) { return topology.processors_injecting_into(r); },
        [&](ProcessorId id) { return topology.processor(id).injection; }));
    CHECK(partitions(
        topology, topology.processor_count(), [&](RouterId r) { return topology.processors_ejected_by(r); },
        [&](ProcessorId id) { return topology.processor(id).ejection; }));
    for (RouterId r = 0; r < topology.router_count(); ++r)
        if (topology.find_router(topology.router_name(r)) != r)
            FAIL_CHECK("router " << r << " is not found by its name");
    for (ProcessorId p = 0; p < topology.processor_count(); ++p)
        if (topology.find_processor(topology.processor(p).name) != p)
            FAIL_CHECK("processor " << p << " is not found by its name");
    CHECK(std::ranges::all_of(topology.channels(), [](const Channel& c) { return c.latency_cycles >= 1; }));
    CHECK(every_processor_reaches_every_other(topology));
    CHECK(positions_differ(topology));
}

unsigned diameter(const Topology& topology)
{
    unsigned most = 0;
    for (const Processor& from : topology.processors()) {
        const std::vector<unsigned> hops = hops_from(topology, from.injection);
        for (const Processor& to : topology.processors())
            most = std::max(most, hops[to.ejection]);
    }
    return most;
}

bool is_bidirectional(const Topology& topology)
{
    std::multiset<std::pair<RouterId, RouterId>> forward, backward;
    for (const Channel& channel : topology.channels()) {
        forward.emplace(channel.source, channel.target);
        backward.emplace(channel.target, channel.source);
    }
    return forward == backward;
}

bool is_simple(const Topology& topology)
{
    std::set<std::pair<RouterId, RouterId>> seen;
    return std::ranges::all_of(topology.channels(), [&](const Channel& channel) {
        return channel.source != channel.target && seen.emplace(channel.source, channel.target).second;
    });
}

bool is_regular(const Topology& topology, std::size_t degree)
{
    for (RouterId r = 0; r < topology.router_count(); ++r)
        if (topology.channels_from(r).size() != degree || topology.channels_to(r).size() != degree)
            return false;
    return true;
}

} // namespace nocturne::test
