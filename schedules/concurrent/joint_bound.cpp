#include "schedules/concurrent/joint_bound.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/boxes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nocturne {
namespace {

std::vector<Certificate> candidates(const LinkNetwork& network, std::span<const std::vector<bool>> among)
{
    std::vector<Boxes> sets = boxes_of(network);
    for (const std::vector<bool>& links : among)
        sets.push_back(joined_by(network, [&](LinkId link) { return !links[link]; }));
    std::vector<Certificate> found{lengths_by_width(network, [](LinkId) { return true; })};
    for (const std::vector<bool>& links : among)
        found.emplace_back(lengths_by_width(network, [&](LinkId link) { return links[link]; }));
    for (const Boxes& boxes : sets) {
        if (boxes.size() < 2)
            continue;
        found.emplace_back(Receptions{boxes});
        for (const std::vector<NodeId>& box : boxes) {
            NodeCut outside;
            for (NodeId node = 0; node < network.node_count(); ++node)
                if (!std::ranges::binary_search(box, node))
                    outside.nodes.push_back(node);
            found.emplace_back(NodeCut{box});
            found.emplace_back(std::move(outside));
        }
        // Half of them against the others: rings of boxes.
        NodeCut half;
        for (std::size_t i = 0; i < boxes.size() / 2; ++i)
            half.nodes.insert(half.nodes.end(), boxes[i].begin(), boxes[i].end());
        std::ranges::sort(half.nodes);
        found.emplace_back(std::move(half));
    }
    return found;
}

} // namespace

Bounds joint_bounds(const LinkNetwork& network, const Collective& collective, const AlphaBeta& cost,
                    std::span<const std::vector<bool>> among, const SearchEnd& end)
{
    Bounds bounds = best_chunk_bounds(network, collective, std::nullopt, BoundScope::any_parts, end);
    for (Certificate& certificate : candidates(network, among)) {
        if (end.has_come())
            break;
        const auto bound = proven_bound(std::move(certificate), network, collective);
        if (bound && (!bounds.rounds || bounds.rounds->rounds < bound->rounds))
            bounds.rounds = bound;
    }
    return with_time(std::move(bounds), network, collective, cost, BoundScope::any_parts);
}

} // namespace nocturne
