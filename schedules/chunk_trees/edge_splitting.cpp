#include "schedules/chunk_trees/edge_splitting.hpp"

#include "schedules/flows/network_flow.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace nocturne {
namespace {

class Splitter {
public:
    Splitter(const LinkNetwork& network, const SpreadToAll& spread, std::vector<SplitEdge> edges,
             const SearchEnd& end)
        : network_(network), spread_(spread), all_(total_weight(spread)), edges_(std::move(edges)), end_(end)
    {
    }

    std::vector<SplitEdge> run() &&
    {
        for (NodeId node = 0; node < network_.node_count(); ++node)
            if (!std::binary_search(spread_.terminals.begin(), spread_.terminals.end(), node))
                split_off(node);
        return std::move(edges_);
    }

private:
    void split_off(NodeId node)
    {
        std::vector<std::size_t> in;
        std::vector<std::size_t> out;
        std::int64_t total = 0;
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (edges_[i].target == node) {
                in.push_back(i);
                total += edges_[i].capacity;
            } else if (edges_[i].source == node) {
                out.push_back(i);
            }
        }
        // First everybody's share, so that trees can be flat; then whatever goes.
        std::vector<std::int64_t> shares;
        for (const std::size_t first : in)
            for (const std::size_t second : out)
                shares.push_back(edges_[first].capacity * edges_[second].capacity /
                                 std::max<std::int64_t>(total, 1));
        for (const bool is_shared : {true, false})
            for (std::size_t i = 0; i < in.size(); ++i)
                for (std::size_t j = 0; j < out.size(); ++j) {
                    const auto most = std::min(edges_[in[i]].capacity, edges_[out[j]].capacity);
                    const std::int64_t wish = is_shared ? std::min(most, shares[i * out.size() + j]) : most;
                    if (wish > 0 && !(is_shared && edges_[in[i]].source == edges_[out[j]].target))
                        split_pair(in[i], out[j], wish);
                }
        std::erase_if(edges_, [&](const SplitEdge& edge) {
            return edge.source == node || edge.target == node || edge.source == edge.target ||
                   edge.capacity == 0;
        });
    }

    /// A cut that loses an edge of the pair loses all that is split off, so that what it lacks then is what
    /// was too much.
    void split_pair(std::size_t in, std::size_t out, std::int64_t wish)
    {
        SplitEdge past{edges_[in].source, edges_[out].target, wish, edges_[in].path};
        past.path.insert(past.path.end(), edges_[out].path.begin(), edges_[out].path.end());
        edges_[in].capacity -= wish;
        edges_[out].capacity -= wish;
        edges_.push_back(std::move(past));
        const std::int64_t lacking =
            std::min(all_ - least_reception(edges_, spread_, network_.node_count(), end_), wish);
        if (lacking <= 0)
            return;
        edges_[in].capacity += lacking;
        edges_[out].capacity += lacking;
        edges_.back().capacity -= lacking;
        if (edges_.back().capacity == 0)
            edges_.pop_back();
    }

    const LinkNetwork& network_;
    const SpreadToAll& spread_;
    std::int64_t all_; ///< chunks
    std::vector<SplitEdge> edges_;
    const SearchEnd& end_;
};

/// Paths may pass a node twice, if edges past one switch are split off at the next: what lies between is left
/// out.
void cut_detours(const LinkNetwork& network, SplitEdge& edge)
{
    std::vector<LinkId> path;
    for (const LinkId id : edge.path) {
        const NodeId source = network.link(id).source;
        const auto again = std::find_if(
            path.begin(), path.end(), [&](LinkId earlier) { return network.link(earlier).source == source; });
        path.erase(again, path.end());
        path.push_back(id);
    }
    edge.path = std::move(path);
}

} // namespace

std::int64_t least_reception(const std::vector<SplitEdge>& edges, const SpreadToAll& spread,
                             std::size_t nodes, const SearchEnd& end)
{
    const auto source = static_cast<std::uint32_t>(nodes);
    std::int64_t least = total_weight(spread);
    for (const std::uint32_t sink : spread.terminals) {
        if (end.has_come())
            return 0;
        MaxFlow flow(nodes + 1);
        for (const std::uint32_t node : spread.terminals)
            flow.add_arc(source, node, static_cast<std::int64_t>(spread.weights[node]));
        for (const SplitEdge& edge : edges)
            if (edge.source != edge.target)
                flow.add_arc(edge.source, edge.target, edge.capacity);
        least = std::min(least, flow.run(source, sink));
    }
    return least;
}

std::vector<SplitEdge> edges_of_links(const LinkNetwork& network, const SpreadToAll& spread,
                                      std::uint64_t rounds, std::uint32_t slack, const SearchEnd& end,
                                      const std::function<bool(LinkId)>& takes)
{
    std::vector<SplitEdge> edges;
    std::set<std::uint64_t> speeds;
    for (LinkId id = 0; id < network.link_count(); ++id) {
        if (!takes(id))
            continue;
        edges.push_back({network.link(id).source,
                         network.link(id).target,
                         static_cast<std::int64_t>(network.units(id) * rounds),
                         {id}});
        speeds.insert(network.units(id));
    }
    const std::int64_t all = least_reception(edges, spread, network.node_count(), end);
    for (const std::uint64_t speed : speeds)
        for (std::uint32_t i = 0; i < slack && speed != *speeds.rbegin(); ++i) {
            std::vector<SplitEdge> fewer = edges;
            for (SplitEdge& edge : fewer)
                edge.capacity -= network.units(edge.path.front()) == speed && edge.capacity > 0 ? 1 : 0;
            if (least_reception(fewer, spread, network.node_count(), end) < all)
                break;
            edges = std::move(fewer);
        }
    return edges;
}

std::vector<SplitEdge> split_off_others(const LinkNetwork& network, const SpreadToAll& spread,
                                        std::vector<SplitEdge> edges, const SearchEnd& end)
{
    edges = Splitter(network, spread, std::move(edges), end).run();
    for (SplitEdge& edge : edges)
        cut_detours(network, edge);
    return edges;
}

} // namespace nocturne
