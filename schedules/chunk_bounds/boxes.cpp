#include "schedules/chunk_bounds/boxes.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace nocturne {
namespace {

using Boxes = std::vector<std::vector<NodeId>>;

/// Nodes that links of this kind join, those with processors.
Boxes joined_by(const LinkNetwork& network, const std::function<bool(const NetworkLink& link)>& joins)
{
    std::vector<std::size_t> rank(network.node_count(), 0), parent(network.node_count());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    boost::disjoint_sets sets(rank.data(), parent.data());
    for (const NetworkLink& link : network.links())
        if (joins(link))
            sets.union_set(std::size_t{link.source}, std::size_t{link.target});
    std::map<std::size_t, std::vector<NodeId>> found;
    for (NodeId node = 0; node < network.node_count(); ++node)
        found[sets.find_set(std::size_t{node})].push_back(node);
    Boxes boxes;
    for (auto& [set, nodes] : found)
        if (network.kind(nodes.front()) == NodeKind::processor) // which have the lowest numbers
            boxes.push_back(std::move(nodes));
    return boxes;
}

} // namespace

std::vector<Boxes> boxes_of(const LinkNetwork& network)
{
    constexpr std::size_t most_bandwidths = 8;
    std::vector<Boxes> found;
    const auto add = [&](const std::function<bool(const NetworkLink& link)>& joins) {
        Boxes boxes = joined_by(network, joins);
        if (boxes.size() > 1 && boxes.size() < network.processor_count() &&
            std::ranges::find(found, boxes) == found.end())
            found.push_back(std::move(boxes));
    };
    std::set<std::uint64_t, std::greater<>> bandwidths;
    for (const NetworkLink& link : network.links())
        bandwidths.insert(link.bytes_per_cycle);
    std::size_t tried = 0;
    for (const std::uint64_t bandwidth : bandwidths)
        if (++tried <= most_bandwidths)
            add([&](const NetworkLink& link) { return link.bytes_per_cycle >= bandwidth; });
    const auto has_processor = [&](const NetworkLink& link) {
        return network.kind(link.source) == NodeKind::processor ||
               network.kind(link.target) == NodeKind::processor;
    };
    add(has_processor);
    add([&](const NetworkLink& link) {
        return network.kind(link.source) == NodeKind::processor &&
               network.kind(link.target) == NodeKind::processor;
    });
    return found;
}

} // namespace nocturne
