#include "schedules/certificate/hops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>

namespace nocturne {
namespace {

class HopLister {
public:
    HopLister(const LinkNetwork& network, std::size_t most)
        : network_(network), most_(most), visited_(network.node_count(), false)
    {
    }

    std::vector<ChunkHop> list()
    {
        for (NodeId node = 0; node < network_.node_count(); ++node)
            if (stores(network_, node)) {
                visited_[node] = true;
                extend(node, node);
                visited_[node] = false;
            }
        return std::move(hops_);
    }

private:
    void extend(NodeId source, NodeId at)
    {
        for (const LinkId link : network_.links_from(at)) {
            const NodeId next = network_.link(link).target;
            if (visited_[next])
                continue;
            path_.push_back(link);
            if (stores(network_, next)) {
                if (hops_.size() == most_)
                    throw std::length_error(
                        fmt::format("{}: more than {} paths between processors", network_.name(), most_));
                hops_.push_back({source, next, path_});
            }
            if (network_.kind(next) != NodeKind::processor) {
                visited_[next] = true;
                extend(source, next);
                visited_[next] = false;
            }
            path_.pop_back();
        }
    }

    const LinkNetwork& network_;
    std::size_t most_;
    std::vector<bool> visited_;
    std::vector<LinkId> path_;
    std::vector<ChunkHop> hops_;
};

constexpr std::size_t most_apart = 64; // paths of a pair without a common link

/// Of each pair that `source` begins: breadth first through plain switches, then back along the levels.
void add_shortest_hops(const LinkNetwork& network, NodeId source, std::size_t per_pair,
                       std::vector<ChunkHop>& hops)
{
    std::vector<std::uint32_t> level(network.node_count(), no_way);
    level[source] = 0;
    std::deque<NodeId> open{source};
    std::vector<NodeId> ends;
    while (!open.empty()) {
        const NodeId at = open.front();
        open.pop_front();
        if (at != source && stores(network, at)) {
            ends.push_back(at);
            continue;
        }
        for (const LinkId link : network.links_from(at))
            if (const NodeId next = network.link(link).target; level[next] == no_way) {
                level[next] = level[at] + 1;
                open.push_back(next);
            }
    }
    std::sort(ends.begin(), ends.end());
    // By node: its links that lie on a shortest way from the source.
    std::map<NodeId, std::vector<LinkId>> leading;
    const auto leading_to = [&](NodeId at) -> const std::vector<LinkId>& {
        const auto [found, is_new] = leading.try_emplace(at);
        if (is_new)
            for (const LinkId link : network.links_to(at)) {
                const NodeId before = network.link(link).source;
                if (level[before] != no_way && level[before] + 1 == level[at] &&
                    (before == source || !stores(network, before)))
                    found->second.push_back(link);
            }
        return found->second;
    };
    // Sources begin with different ones of the links between switches, as far apart as they have links.
    std::map<NodeId, std::size_t> links_to_switch;
    std::size_t width = 1;
    for (const LinkId link : network.links_from(source))
        width = std::max(width, ++links_to_switch[network.link(link).target]);
    std::vector<bool> is_used(network.link_count(), false);
    std::vector<std::uint32_t> failed(network.node_count(), 0); // in the search of that number
    std::uint32_t number = 0;
    for (const NodeId end : ends) {
        const std::size_t first = hops.size();
        std::vector<LinkId> path;
        // First paths that share no link: each of the parallel links, each plane of switches has its own.
        const auto apart = [&](const auto& self, NodeId at) -> bool {
            if (at == source) {
                hops.push_back({source, end, {path.rbegin(), path.rend()}});
                return true;
            }
            const std::vector<LinkId>& links = leading_to(at);
            for (std::size_t i = 0; i < links.size(); ++i) {
                const LinkId link = links[(i + source * width) % links.size()];
                const NodeId before = network.link(link).source;
                if (is_used[link] || failed[before] == number)
                    continue;
                path.push_back(link);
                const bool is_there = self(self, before);
                path.pop_back();
                if (is_there) {
                    is_used[link] = true;
                    return true;
                }
            }
            failed[at] = number;
            return false;
        };
        do
            ++number;
        while (hops.size() - first < most_apart && apart(apart, end));
        for (std::size_t i = first; i < hops.size(); ++i)
            for (const LinkId link : hops[i].path)
                is_used[link] = false;
        const std::size_t disjoint = hops.size();
        const auto any = [&](const auto& self, NodeId at) -> void {
            if (at == source) {
                ChunkHop hop{source, end, {path.rbegin(), path.rend()}};
                if (std::find(hops.begin() + static_cast<std::ptrdiff_t>(first),
                              hops.begin() + static_cast<std::ptrdiff_t>(disjoint),
                              hop) == hops.begin() + static_cast<std::ptrdiff_t>(disjoint))
                    hops.push_back(std::move(hop));
                return;
            }
            for (const LinkId link : leading_to(at)) {
                if (hops.size() - first >= per_pair)
                    continue;
                path.push_back(link);
                self(self, network.link(link).source);
                path.pop_back();
            }
        };
        any(any, end);
    }
}

} // namespace

std::vector<ChunkHop> all_hops(const LinkNetwork& network, std::size_t most)
{
    return HopLister{network, most}.list();
}

std::vector<ChunkHop> shortest_hops(const LinkNetwork& network, std::size_t per_pair)
{
    std::vector<ChunkHop> hops;
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (stores(network, node))
            add_shortest_hops(network, node, per_pair, hops);
    return hops;
}

std::vector<ChunkHop> shortest_hops_from(const LinkNetwork& network, NodeId source, std::size_t per_pair)
{
    std::vector<ChunkHop> hops;
    add_shortest_hops(network, source, per_pair, hops);
    return hops;
}

std::vector<std::uint64_t> least_rates(const LinkNetwork& network)
{
    constexpr std::uint32_t none = ~0U;
    const auto is_crossed = [&](NodeId node) { return network.kind(node) != NodeKind::processor; };
    // Switches that are joined by links, whichever way these lead.
    std::vector<std::uint32_t> part(network.node_count(), none);
    std::vector<std::uint64_t> least;
    for (NodeId first = 0; first < network.node_count(); ++first) {
        if (!is_crossed(first) || part[first] != none)
            continue;
        const auto number = static_cast<std::uint32_t>(least.size());
        least.push_back(~std::uint64_t{0});
        part[first] = number;
        std::vector<NodeId> open{first};
        for (std::size_t i = 0; i < open.size(); ++i)
            for (const auto links : {network.links_from(open[i]), network.links_to(open[i])})
                for (const LinkId id : links) {
                    const NetworkLink& link = network.link(id);
                    least[number] = std::min(least[number], link.bytes_per_cycle);
                    for (const NodeId end : {link.source, link.target})
                        if (is_crossed(end) && part[end] == none) {
                            part[end] = number;
                            open.push_back(end);
                        }
                }
    }
    std::vector<std::uint64_t> rates;
    for (const NetworkLink& link : network.links()) {
        const std::uint32_t number = std::min(part[link.source], part[link.target]);
        rates.push_back(number == none ? link.bytes_per_cycle : least[number]);
    }
    return rates;
}

std::vector<std::uint32_t> transfers_from(const LinkNetwork& network, NodeId from)
{
    std::vector<std::uint32_t> distances(network.node_count(), no_way);
    std::deque<NodeId> open{from};
    distances[from] = 0;
    while (!open.empty()) {
        const NodeId at = open.front();
        open.pop_front();
        const std::uint32_t reached =
            distances[at] + (at == from || network.kind(at) == NodeKind::processor ? 1 : 0);
        for (const LinkId link : network.links_from(at)) {
            const NodeId next = network.link(link).target;
            if (distances[next] <= reached)
                continue;
            distances[next] = reached;
            if (network.kind(next) == NodeKind::processor)
                open.push_back(next);
            else // the same transfer goes on
                open.push_front(next);
        }
    }
    return distances;
}

namespace {

std::vector<std::uint32_t> spread(std::size_t nodes, const std::vector<ChunkHop>& hops,
                                  const std::vector<NodeId>& begin, bool backwards)
{
    std::vector<std::vector<NodeId>> next(nodes);
    for (const ChunkHop& hop : hops)
        next[backwards ? hop.destination : hop.source].push_back(backwards ? hop.source : hop.destination);
    std::vector<std::uint32_t> distances(nodes, no_way);
    std::deque<NodeId> open;
    for (const NodeId node : begin) {
        distances[node] = 0;
        open.push_back(node);
    }
    for (; !open.empty(); open.pop_front())
        for (const NodeId node : next[open.front()])
            if (distances[node] == no_way) {
                distances[node] = distances[open.front()] + 1;
                open.push_back(node);
            }
    return distances;
}

} // namespace

std::vector<std::uint32_t> hop_distances_from(std::size_t nodes, const std::vector<ChunkHop>& hops,
                                              NodeId from)
{
    return spread(nodes, hops, {from}, false);
}

std::vector<std::vector<std::uint32_t>>
hop_distances_to_receivers(std::size_t nodes, const std::vector<ChunkHop>& hops, const Collective& collective)
{
    std::map<std::vector<NodeId>, std::vector<std::uint32_t>> known; // chunks mostly share their receivers
    std::vector<std::vector<std::uint32_t>> distances;
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk) {
        const auto receivers = collective.demands.receivers_of(chunk);
        const auto [found, is_new] =
            known.try_emplace(std::vector<NodeId>(receivers.begin(), receivers.end()));
        if (is_new)
            found->second = spread(nodes, hops, found->first, true);
        distances.push_back(found->second);
    }
    return distances;
}

} // namespace nocturne
