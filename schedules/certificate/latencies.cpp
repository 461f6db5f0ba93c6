#include "schedules/certificate/latencies.hpp"

#include "schedules/certificate/shortest_lengths.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace nocturne {

namespace {

std::vector<std::uint64_t> transfer_latencies(const LinkNetwork& network)
{
    constexpr std::uint64_t none = ~std::uint64_t{0};
    const auto origin = static_cast<NodeId>(network.node_count());
    const auto nearest = [&](bool backwards) {
        return shortest_lengths(network.node_count() + 1, origin, none, [&](NodeId node, const auto& visit) {
            if (node == origin)
                for (NodeId each = 0; each < network.node_count(); ++each)
                    if (network.kind(each) != NodeKind::plain_switch)
                        visit(each, std::uint64_t{0});
            if (node < origin)
                for (const LinkId id : backwards ? network.links_to(node) : network.links_from(node)) {
                    const NetworkLink& link = network.link(id);
                    visit(backwards ? link.source : link.target, link.latency_cycles);
                }
        });
    };
    const std::vector<std::uint64_t> before = nearest(false), after = nearest(true);
    std::vector<std::uint64_t> latencies;
    for (const NetworkLink& link : network.links()) {
        const bool is_crossed = before[link.source] != none && after[link.target] != none;
        latencies.push_back(link.latency_cycles +
                            (is_crossed ? before[link.source] + after[link.target] : 0));
    }
    return latencies;
}

/// The least latency from one set with something that stores to another; 0 if there is no way.
std::uint64_t least_between(const LinkNetwork& network, const std::vector<std::uint32_t>& set_of)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> between;
    for (const NetworkLink& link : network.links())
        if (const std::pair ends(set_of[link.source], set_of[link.target]); ends.first != ends.second) {
            const auto [entry, is_new] = between.try_emplace(ends, link.latency_cycles);
            entry->second = std::min(entry->second, link.latency_cycles);
        }
    std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> leaving(network.node_count());
    for (const auto& [ends, latency] : between)
        leaving[ends.first].emplace_back(ends.second, latency);
    std::vector<bool> stores(network.node_count(), false);
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (network.kind(node) != NodeKind::plain_switch)
            stores[set_of[node]] = true;
    constexpr std::uint64_t none = ~std::uint64_t{0};
    std::uint64_t least = none;
    for (std::uint32_t set = 0; set < network.node_count(); ++set) {
        if (!stores[set])
            continue;
        const auto far =
            shortest_lengths(network.node_count(), set, none, [&](std::uint32_t at, const auto& visit) {
                if (at == set || !stores[at])
                    for (const auto& [next, latency] : leaving[at])
                        visit(next, latency);
            });
        for (std::uint32_t other = 0; other < network.node_count(); ++other)
            if (other != set && stores[other])
                least = std::min(least, far[other]);
    }
    return least == none ? 0 : least;
}

/// Without a latency each node is alone.
NearProcessors joined_within(const LinkNetwork& network, std::optional<std::uint64_t> most)
{
    std::vector<std::size_t> rank(network.node_count(), 0), parent(network.node_count());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    boost::disjoint_sets sets(rank.data(), parent.data());
    for (const NetworkLink& link : network.links())
        if (most && link.latency_cycles <= *most)
            sets.union_set(std::size_t{link.source}, std::size_t{link.target});
    std::vector<std::uint32_t> set_of;
    for (NodeId node = 0; node < network.node_count(); ++node)
        set_of.push_back(static_cast<std::uint32_t>(sets.find_set(std::size_t{node})));
    const std::uint64_t latency = least_between(network, set_of);
    set_of.resize(network.processor_count());
    return {std::move(set_of), latency};
}

std::vector<NearProcessors> near_processors(const LinkNetwork& network)
{
    constexpr std::size_t most = 4; // more latencies are those of a random network
    std::set<std::uint64_t> latencies;
    for (const NetworkLink& link : network.links())
        latencies.insert(link.latency_cycles);
    std::vector<NearProcessors> found{joined_within(network, std::nullopt)};
    for (const std::uint64_t latency : latencies) {
        NearProcessors near = joined_within(network, latency);
        const std::uint32_t first = near.group.front();
        if (found.size() > most ||
            std::ranges::all_of(near.group, [&](std::uint32_t group) { return group == first; }))
            break;
        found.push_back(std::move(near));
    }
    return found;
}

} // namespace

NetworkLatencies latencies_of(const LinkNetwork& network)
{
    return {transfer_latencies(network), near_processors(network)};
}

} // namespace nocturne
