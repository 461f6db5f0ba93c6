#include "schedules/concurrent/group_network.hpp"

#include "schedules/certificate/hops.hpp"
#include "schedules/chunk_search/turned_network.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

/// Which nodes stay: members, and switches from which at least two nodes that stay can be told apart.
std::vector<bool> kept_nodes(const LinkNetwork& whole, const std::vector<std::uint32_t>& group)
{
    std::vector<bool> kept(whole.node_count(), false);
    for (NodeId node = whole.processor_count(); node < whole.node_count(); ++node)
        kept[node] = true;
    for (const std::uint32_t member : group)
        kept[member] = true;
    const auto leads_on = [&](NodeId node) {
        std::set<NodeId> neighbours;
        for (const LinkId link : whole.links_from(node))
            if (kept[whole.link(link).target])
                neighbours.insert(whole.link(link).target);
        for (const LinkId link : whole.links_to(node))
            if (kept[whole.link(link).source])
                neighbours.insert(whole.link(link).source);
        return neighbours.size() > 1;
    };
    for (bool is_changed = true; std::exchange(is_changed, false);)
        for (NodeId node = whole.processor_count(); node < whole.node_count(); ++node)
            if (kept[node] && !leads_on(node)) {
                kept[node] = false;
                is_changed = true;
            }
    return kept;
}

using Colours = std::vector<std::uint32_t>; ///< by node

/// A link at a node, as its colour sees it.
using SeenLink = std::tuple<bool, std::uint64_t, std::uint64_t, std::uint32_t>;

/// Colours that differ where something around the nodes does, refined until nothing changes: the same in both
/// networks.
std::pair<Colours, Colours> colours_of(const LinkNetwork& a, const LinkNetwork& b)
{
    const auto begin = [](const LinkNetwork& network) {
        Colours colours(network.node_count());
        for (NodeId node = 0; node < network.node_count(); ++node)
            colours[node] = node < network.processor_count()               ? node
                            : network.kind(node) == NodeKind::plain_switch ? network.processor_count()
                                                                           : network.processor_count() + 1;
        return colours;
    };
    const auto seen_by = [](const LinkNetwork& network, const Colours& colours, NodeId node) {
        std::vector<SeenLink> seen;
        for (const LinkId id : network.links_from(node)) {
            const NetworkLink& link = network.link(id);
            seen.emplace_back(true, link.bytes_per_cycle, link.latency_cycles, colours[link.target]);
        }
        for (const LinkId id : network.links_to(node)) {
            const NetworkLink& link = network.link(id);
            seen.emplace_back(false, link.bytes_per_cycle, link.latency_cycles, colours[link.source]);
        }
        std::ranges::sort(seen);
        return std::pair{colours[node], std::move(seen)};
    };
    Colours of_a = begin(a), of_b = begin(b);
    std::size_t count = 0;
    while (true) {
        std::map<std::pair<std::uint32_t, std::vector<SeenLink>>, std::uint32_t> numbers;
        std::vector<std::pair<std::uint32_t, std::vector<SeenLink>>> all;
        for (NodeId node = 0; node < a.node_count(); ++node)
            all.push_back(seen_by(a, of_a, node));
        for (NodeId node = 0; node < b.node_count(); ++node)
            all.push_back(seen_by(b, of_b, node));
        for (const auto& one : all)
            numbers.try_emplace(one);
        std::uint32_t next = 0;
        for (auto& [seen, number] : numbers)
            number = next++;
        for (NodeId node = 0; node < a.node_count(); ++node)
            of_a[node] = numbers.at(all[node]);
        for (NodeId node = 0; node < b.node_count(); ++node)
            of_b[node] = numbers.at(all[a.node_count() + node]);
        if (numbers.size() == count)
            return {std::move(of_a), std::move(of_b)};
        count = numbers.size();
    }
}

} // namespace

bool is_connected(const LinkNetwork& network)
{
    const auto reaches_all = [](const LinkNetwork& links) {
        const std::vector<std::uint32_t> transfers = transfers_from(links, 0);
        return std::ranges::none_of(std::span(transfers).first(links.processor_count()),
                                    [](std::uint32_t count) { return count == no_way; });
    };
    return reaches_all(network) && reaches_all(turned(network));
}

std::optional<GroupNetwork> group_network(const LinkNetwork& whole, const std::vector<std::uint32_t>& group)
{
    const std::vector<bool> kept = kept_nodes(whole, group);
    GroupNetwork result{
        LinkNetwork("group of " + whole.name(), static_cast<std::uint32_t>(group.size())), group, {}};
    constexpr NodeId none = ~NodeId{0};
    std::vector<NodeId> number(whole.node_count(), none);
    for (std::uint32_t k = 0; k < group.size(); ++k) {
        number[group[k]] = k;
        result.network.set_node_name(k, whole.node_name(group[k]));
    }
    for (NodeId node = whole.processor_count(); node < whole.node_count(); ++node)
        if (kept[node]) {
            number[node] = result.network.add_switch(whole.kind(node), whole.node_name(node));
            result.nodes.push_back(node);
        }
    for (LinkId id = 0; id < whole.link_count(); ++id) {
        NetworkLink link = whole.link(id);
        if (number[link.source] == none || number[link.target] == none)
            continue;
        link.source = number[link.source];
        link.target = number[link.target];
        link.channel.reset();
        result.network.add_link(link);
        result.paths.push_back({id});
    }
    return is_connected(result.network) ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<GroupNetwork> placed_like(const GroupNetwork& pattern, const GroupNetwork& group)
{
    const LinkNetwork& a = pattern.network;
    const LinkNetwork& b = group.network;
    if (a.processor_count() != b.processor_count() || a.node_count() != b.node_count() ||
        a.link_count() != b.link_count())
        return std::nullopt;
    const auto [of_a, of_b] = colours_of(a, b);
    // Nodes of one colour in the order of their numbers; whether that is right, the links say.
    std::map<std::uint32_t, std::vector<NodeId>> by_colour;
    for (NodeId node = static_cast<NodeId>(b.node_count()); node-- > 0;)
        by_colour[of_b[node]].push_back(node);
    std::vector<NodeId> there(a.node_count());
    for (NodeId node = 0; node < a.node_count(); ++node) {
        std::vector<NodeId>& left = by_colour[of_a[node]];
        if (left.empty())
            return std::nullopt;
        there[node] = left.back();
        left.pop_back();
    }
    std::map<std::tuple<NodeId, NodeId, std::uint64_t, std::uint64_t>, std::vector<LinkId>> links;
    for (LinkId id = static_cast<LinkId>(b.link_count()); id-- > 0;) {
        const NetworkLink& link = b.link(id);
        links[{link.source, link.target, link.bytes_per_cycle, link.latency_cycles}].push_back(id);
    }
    GroupNetwork result{a, {}, {}};
    for (const NodeId node : there)
        result.nodes.push_back(group.nodes[node]);
    for (const NetworkLink& link : a.links()) {
        auto& left =
            links[{there[link.source], there[link.target], link.bytes_per_cycle, link.latency_cycles}];
        if (left.empty())
            return std::nullopt;
        result.paths.push_back(group.paths[left.back()]);
        left.pop_back();
    }
    return result;
}

} // namespace nocturne
