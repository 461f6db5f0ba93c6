#include "schedules/formats/foreign_schedule.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace nocturne {

const std::vector<LinkId>& ProcessorPaths::between(NodeId source, NodeId destination)
{
    const auto [found, is_new] = paths_.emplace(std::pair(source, destination), std::vector<LinkId>{});
    if (!is_new)
        return found->second;
    std::vector<std::optional<LinkId>> came(network_.node_count());
    std::deque<NodeId> open{source};
    while (!open.empty() && !came[destination]) {
        const NodeId node = open.front();
        open.pop_front();
        for (const LinkId link : network_.links_from(node)) {
            const NodeId target = network_.link(link).target;
            if (came[target] || target == source)
                continue;
            came[target] = link;
            if (network_.kind(target) != NodeKind::processor)
                open.push_back(target);
        }
    }
    for (NodeId node = destination; node != source && came[node]; node = network_.link(*came[node]).source)
        found->second.insert(found->second.begin(), *came[node]);
    return found->second;
}

std::vector<LinkId> path_over(const LinkNetwork& network, const std::vector<NodeId>& nodes)
{
    std::vector<LinkId> path;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        const auto links = network.links_from(nodes[i]);
        const auto link = std::find_if(links.begin(), links.end(),
                                       [&](LinkId id) { return network.link(id).target == nodes[i + 1]; });
        if (link == links.end())
            return {};
        path.push_back(*link);
    }
    return path;
}

} // namespace nocturne
