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

/// The shortest hops from one node: breadth first through plain switches, then back along the levels.
class HopsFrom {
public:
    HopsFrom(const LinkNetwork& network, NodeId source, std::vector<ChunkHop>& hops)
        : source_(source), hops_(hops), leading_(network.node_count()), is_used_(network.link_count(), false),
          failed_in_(network.node_count(), 0), network_(network)
    {
        find_levels();
        std::map<NodeId, std::size_t> links_to;
        for (const LinkId link : network.links_from(source))
            parallel_ = std::max(parallel_, ++links_to[network.link(link).target]);
    }

    void list(std::size_t per_pair)
    {
        for (const NodeId end : ends_) {
            constexpr std::size_t most_apart = 64;
            const std::size_t first = hops_.size();
            end_ = end;
            do
                ++search_;
            while (hops_.size() - first < most_apart && add_apart(end));
            for (std::size_t i = first; i < hops_.size(); ++i)
                for (const LinkId link : hops_[i].path)
                    is_used_[link] = false;
            const std::size_t apart = hops_.size() - first;
            if (apart < per_pair)
                add_others(end, first, apart, per_pair);
        }
    }

private:
    void find_levels()
    {
        std::vector<std::uint32_t> level(network_.node_count(), no_way);
        level[source_] = 0;
        std::deque<NodeId> open{source_};
        for (; !open.empty(); open.pop_front()) {
            const NodeId at = open.front();
            if (at != source_ && stores(network_, at)) {
                ends_.push_back(at);
                continue;
            }
            for (const LinkId link : network_.links_from(at)) {
                const NodeId next = network_.link(link).target;
                if (level[next] == no_way) {
                    level[next] = level[at] + 1;
                    open.push_back(next);
                }
                if (level[next] == level[at] + 1)
                    leading_[next].push_back(link);
            }
        }
        std::ranges::sort(ends_);
    }

    void add_path() { hops_.push_back({source_, end_, {path_.rbegin(), path_.rend()}}); }

    /// A path that shares no link with those that were added for this end; false if there is none.
    bool add_apart(NodeId at)
    {
        if (at == source_) {
            add_path();
            return true;
        }
        // Sources begin with different ones of the links between switches, as far apart as they have links.
        const std::vector<LinkId>& links = leading_[at];
        for (std::size_t i = 0; i < links.size(); ++i) {
            const LinkId link = links[(i + source_ * parallel_) % links.size()];
            const NodeId before = network_.link(link).source;
            if (is_used_[link] || failed_in_[before] == search_)
                continue;
            path_.push_back(link);
            is_used_[link] = add_apart(before);
            path_.pop_back();
            if (is_used_[link])
                return true;
        }
        failed_in_[at] = search_;
        return false;
    }

    /// Other paths until there are `per_pair` from `first` on, of which so many were there.
    void add_others(NodeId at, std::size_t first, std::size_t apart, std::size_t per_pair)
    {
        if (at == source_) {
            add_path();
            const auto begin = hops_.begin() + static_cast<std::ptrdiff_t>(first),
                       end = begin + static_cast<std::ptrdiff_t>(apart);
            if (std::find(begin, end, hops_.back()) != end)
                hops_.pop_back();
            return;
        }
        for (const LinkId link : leading_[at]) {
            if (hops_.size() - first >= per_pair)
                return;
            path_.push_back(link);
            add_others(network_.link(link).source, first, apart, per_pair);
            path_.pop_back();
        }
    }

    NodeId source_;
    std::vector<ChunkHop>& hops_;
    std::vector<std::vector<LinkId>> leading_; ///< by node: its links that lie on a shortest path
    std::vector<bool> is_used_;                ///< by link
    std::vector<std::uint32_t> failed_in_;     ///< by node: the last search in vain behind it
    const LinkNetwork& network_;
    std::vector<NodeId> ends_;
    std::size_t parallel_ = 1; ///< most links from the source to one node
    NodeId end_ = 0;
    std::uint32_t search_ = 0;
    std::vector<LinkId> path_;
};

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
            HopsFrom(network, node, hops).list(per_pair);
    return hops;
}

std::vector<ChunkHop> shortest_hops_from(const LinkNetwork& network, NodeId source, std::size_t per_pair)
{
    std::vector<ChunkHop> hops;
    HopsFrom(network, source, hops).list(per_pair);
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

std::vector<NodeId> one_transfer_from(const LinkNetwork& network, const std::vector<NodeId>& nodes,
                                      bool backwards)
{
    std::vector<NodeId> found, open = nodes;
    std::vector<bool> is_seen(network.node_count(), false);
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        for (const LinkId id : backwards ? network.links_to(node) : network.links_from(node)) {
            const NodeId next = backwards ? network.link(id).source : network.link(id).target;
            if (is_seen[next])
                continue;
            is_seen[next] = true;
            (network.kind(next) == NodeKind::processor ? found : open).push_back(next);
        }
    }
    return found;
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
