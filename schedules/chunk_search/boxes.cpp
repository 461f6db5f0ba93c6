#include "schedules/chunk_search/boxes.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

namespace nocturne {
namespace {

/// By how many processors they have: switches with their processors, if each processor is at one of them.
std::vector<Boxes> around_switches(const LinkNetwork& network)
{
    std::map<std::size_t, Boxes> by_size;
    for (NodeId node = network.processor_count(); node < network.node_count(); ++node) {
        std::set<NodeId> box{node};
        for (const LinkId link : network.links_to(node))
            if (network.kind(network.link(link).source) == NodeKind::processor)
                box.insert(network.link(link).source);
        if (box.size() > 1)
            by_size[box.size() - 1].emplace_back(box.begin(), box.end());
    }
    std::vector<Boxes> found;
    for (auto& [size, boxes] : by_size) {
        std::set<NodeId> processors;
        for (const std::vector<NodeId>& box : boxes)
            processors.insert(box.begin(), box.end() - 1);
        if (size * boxes.size() == network.processor_count() &&
            processors.size() == network.processor_count())
            found.push_back(std::move(boxes));
    }
    return found;
}

} // namespace

Boxes joined_by(const LinkNetwork& network, const std::function<bool(LinkId link)>& joins)
{
    std::vector<std::size_t> rank(network.node_count(), 0), parent(network.node_count());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    boost::disjoint_sets sets(rank.data(), parent.data());
    for (LinkId id = 0; id < network.link_count(); ++id)
        if (joins(id))
            sets.union_set(std::size_t{network.link(id).source}, std::size_t{network.link(id).target});
    std::map<std::size_t, std::vector<NodeId>> found;
    for (NodeId node = 0; node < network.node_count(); ++node)
        found[sets.find_set(std::size_t{node})].push_back(node);
    Boxes boxes;
    for (auto& [set, nodes] : found)
        if (network.kind(nodes.front()) == NodeKind::processor) // which have the lowest numbers
            boxes.push_back(std::move(nodes));
    return boxes;
}

std::vector<Boxes> boxes_of(const LinkNetwork& network)
{
    constexpr std::size_t most_bandwidths = 8;
    std::vector<Boxes> found;
    const auto add = [&](Boxes boxes) {
        std::ranges::sort(boxes);
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
            add(joined_by(network, [&](LinkId id) { return network.link(id).bytes_per_cycle >= bandwidth; }));
    const auto processors_at = [&](LinkId id) {
        const NetworkLink& link = network.link(id);
        return std::ranges::count_if(std::array{link.source, link.target},
                                     [&](NodeId node) { return network.kind(node) == NodeKind::processor; });
    };
    for (const int least : {1, 2})
        add(joined_by(network, [&](LinkId id) { return processors_at(id) >= least; }));
    for (Boxes& boxes : around_switches(network))
        add(std::move(boxes));
    return found;
}

} // namespace nocturne
