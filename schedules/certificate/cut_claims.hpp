// What must cross a cut late, or early, or once for each of several.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/certificate/hops.hpp"
#include "schedules/certificate/latencies.hpp"
#include "schedules/certificate/shortest_lengths.hpp"
#include "schedules/collective/collective.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

/// Chunks, each as often as it crosses.
struct CrossingCount {
    boost::multiprecision::uint128_t chunks = 0;
    boost::multiprecision::uint128_t weight = 0;
    std::uint64_t lightest = ~std::uint64_t{0};
    std::uint64_t heaviest = 0;

    void add(std::uint64_t crossings, std::uint64_t weight_of_one)
    {
        chunks += crossings;
        weight += boost::multiprecision::uint128_t{crossings} * weight_of_one;
        lightest = std::min(lightest, weight_of_one);
        heaviest = std::max(heaviest, weight_of_one);
    }

    void add(const CrossingCount& more)
    {
        chunks += more.chunks;
        weight += more.weight;
        lightest = std::min(lightest, more.lightest);
        heaviest = std::max(heaviest, more.heaviest);
    }
};

/// The time of a schedule without a part at its beginning or its end.
template <class Time>
struct CrossingWindow {
    Time closed = 0; ///< the part
    std::uint64_t times = 1;
};

/// In every schedule what can cross in the windows, each so many times, is so many times `crossed`, or more.
template <class Time>
struct CutClaim {
    std::vector<CrossingWindow<Time>> windows = {{}};
    CrossingCount crossed = {};
    std::uint64_t times = 1;
};

/// Does what crosses a link come to one processor?
inline bool stores_nothing_in_switches(const LinkNetwork& network)
{
    for (NodeId node = network.processor_count(); node < network.node_count(); ++node)
        if (network.kind(node) != NodeKind::plain_switch)
            return false;
    return true;
}

/// A transfer takes as long as its first link says, and as its last: which is narrower differs.
enum class CountedLink { first, last };

/// Does the link count for the transfers that cross it?
inline bool counts(const LinkNetwork& network, LinkId link, CountedLink counted)
{
    const NetworkLink& of = network.link(link);
    return network.kind(counted == CountedLink::first ? of.source : of.target) == NodeKind::processor;
}

/// By node: the least time from when something is stored at one of the processors `at` until it is stored at
/// this one; backwards, the other way. -1 where no way is. `hop(link)`: latency, and for a link that counts
/// start-up and streaming. Time is double or exact.
template <class Time, class Hop>
std::vector<Time> relay_times(const LinkNetwork& network, const std::vector<NodeId>& at, bool backwards,
                              const Hop& hop)
{
    const auto origin = static_cast<NodeId>(network.node_count());
    return shortest_lengths(network.node_count() + 1, origin, Time{-1}, [&](NodeId node, const auto& visit) {
        if (node == origin) {
            for (const NodeId each : at)
                visit(each, Time{0});
            return;
        }
        for (const LinkId id : backwards ? network.links_to(node) : network.links_from(node)) {
            const NetworkLink& link = network.link(id);
            visit(backwards ? link.source : link.target, hop(id));
        }
    });
}

/// Start-up and streaming of a transfer, at least.
template <class Time, class Hop>
Time least_sent(const LinkNetwork& network, CountedLink counted, const Hop& hop)
{
    Time least = -1;
    for (LinkId id = 0; id < network.link_count(); ++id) {
        if (!counts(network, id, counted))
            continue;
        const Time sent = hop(id) - static_cast<Time>(network.link(id).latency_cycles);
        if (least < 0 || sent < least)
            least = sent;
    }
    return least < 0 ? Time{0} : least;
}

/// When what the demands say is sent over a cut at the earliest, or how long it is on its way then at least:
/// `time_of(demand)`, -1 for what need not cross. What crosses in what is left of a schedule is all for which
/// it is as long, or longer.
template <class Time, class TimeOf>
std::vector<CutClaim<Time>> late_claims(const Collective& collective, std::span<const std::uint32_t> demands,
                                        const TimeOf& time_of)
{
    std::vector<std::pair<ChunkId, Time>> latest; // of a chunk at last
    for (const std::uint32_t demand : demands)
        if (const Time& time = time_of(collective.demands[demand]); time > 0)
            latest.emplace_back(collective.demands[demand].chunk, time);
    std::sort(latest.begin(), latest.end());
    std::map<Time, CrossingCount, std::greater<>> by_time;
    for (std::size_t i = 0; i < latest.size(); ++i)
        if (i + 1 == latest.size() || latest[i + 1].first != latest[i].first)
            by_time[latest[i].second].add(1, collective.chunks[latest[i].first].weight);
    std::vector<CutClaim<Time>> claims;
    CrossingCount all;
    for (const auto& [time, count] : by_time) {
        all.add(count);
        claims.push_back({{{time, 1}}, all, 1});
    }
    return claims;
}

/// What is of several groups inside, or is owed to several outside, crosses once for each, or leaves time for
/// a transfer from one group to another. `time`: of that. `demands`: what crosses; `groups_of`: of the
/// contributors of a demand, those inside.
template <class Time, class GroupsOf>
std::vector<CutClaim<Time>>
claims_once_for_each(const Collective& collective, std::span<const std::uint32_t> demands,
                     const std::vector<std::uint32_t>& group, const Time& time, const GroupsOf& groups_of)
{
    std::vector<std::pair<ChunkId, std::uint32_t>> owed; // to which groups
    std::map<ChunkId, std::uint64_t> contributed;        // by how many
    for (const std::uint32_t id : demands) {
        const Demand& demand = collective.demands[id];
        owed.emplace_back(demand.chunk, group[demand.receiver]);
        std::uint64_t& groups = contributed[demand.chunk];
        groups = std::max<std::uint64_t>(groups, groups_of(demand));
    }
    std::sort(owed.begin(), owed.end());
    owed.erase(std::unique(owed.begin(), owed.end()), owed.end());
    CrossingCount all;
    std::uint64_t least_owed = ~std::uint64_t{0}, least_contributed = least_owed, count = 0;
    for (std::size_t i = 0; i < owed.size(); ++i) {
        ++count;
        if (i + 1 < owed.size() && owed[i + 1].first == owed[i].first)
            continue;
        all.add(1, collective.chunks[owed[i].first].weight);
        least_owed = std::min(least_owed, std::exchange(count, 0));
        least_contributed = std::min(least_contributed, contributed[owed[i].first]);
    }
    std::vector<CutClaim<Time>> claims;
    for (const std::uint64_t groups : {least_owed, least_contributed})
        if (all.chunks > 0 && groups >= 2 && time > 0)
            claims.push_back({{{time, groups - 1}, {}}, all, groups});
    return claims;
}

/// Of all demands.
inline std::vector<std::uint32_t> demand_ids(const Collective& collective)
{
    std::vector<std::uint32_t> ids(collective.demands.size());
    std::iota(ids.begin(), ids.end(), 0U);
    return ids;
}

/// What a cut says beyond least_crossings(): what comes from afar crosses late; what goes far, early; and
/// claims_once_for_each(). `asked`: all demands, or those that can have to cross. `inside`: by node. `hop`:
/// see relay_times(), for the links that count.
template <class Time, class Hop>
std::vector<CutClaim<Time>> claims_of_cut(const LinkNetwork& network, const NetworkLatencies& latencies,
                                          const Collective& collective, std::span<const std::uint32_t> asked,
                                          const std::vector<bool>& inside, CountedLink counted,
                                          const Hop& hop)
{
    std::vector<NodeId> within, without;
    for (NodeId node = 0; node < network.processor_count(); ++node)
        (inside[node] ? within : without).push_back(node);
    std::vector<NodeId> senders = one_transfer_from(network, without, true);
    std::vector<NodeId> receivers = one_transfer_from(network, within, false);
    std::erase_if(senders, [&](NodeId node) { return !inside[node]; });
    std::erase_if(receivers, [&](NodeId node) { return inside[node]; });
    const std::vector<Time> ready = relay_times<Time>(network, senders, true, hop);
    const std::vector<Time> remaining = relay_times<Time>(network, receivers, false, hop);
    std::map<const std::vector<std::uint32_t>*, Time> lists; // which demands mostly share
    const auto ready_of = [&](const Demand& demand) -> Time {
        const std::vector<std::uint32_t>& contributors = demand.contributors;
        const auto [entry, is_new] = lists.try_emplace(&contributors, -1);
        if (is_new)
            for (const std::uint32_t contributor : contributors)
                if (inside[contributor])
                    entry->second = std::max(entry->second, ready[contributor]);
        return entry->second;
    };
    std::vector<std::uint32_t> demands; // of which some contribution has to cross
    for (const std::uint32_t id : asked)
        if (const Demand& demand = collective.demands[id]; !inside[demand.receiver] && ready_of(demand) >= 0)
            demands.push_back(id);
    auto claims = late_claims<Time>(collective, demands, ready_of);
    const auto add = [&](const std::vector<CutClaim<Time>>& more) {
        claims.insert(claims.end(), more.begin(), more.end());
    };
    add(late_claims<Time>(collective, demands,
                          [&](const Demand& demand) { return remaining[demand.receiver]; }));
    if (!stores_nothing_in_switches(network))
        return claims;
    const Time sent = least_sent<Time>(network, counted, hop);
    for (const NearProcessors& near : latencies.near) {
        std::map<const std::vector<std::uint32_t>*, std::size_t> known;
        const auto groups_of = [&](const Demand& demand) {
            const std::vector<std::uint32_t>& contributors = demand.contributors;
            const auto [entry, is_new] = known.try_emplace(&contributors, 0);
            if (is_new) {
                std::set<std::uint32_t> groups;
                for (const std::uint32_t contributor : contributors)
                    if (inside[contributor])
                        groups.insert(near.group[contributor]);
                entry->second = groups.size();
            }
            return entry->second;
        };
        add(claims_once_for_each<Time>(collective, demands, near.group,
                                       sent + static_cast<Time>(near.latency), groups_of));
    }
    return claims;
}

} // namespace nocturne
