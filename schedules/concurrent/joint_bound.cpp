#include "schedules/concurrent/joint_bound.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/boxes.hpp"

#include <algorithm>
#include <optional>
#include <set>
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

Bounds bounds_of(const LinkNetwork& network, const Collective& collective, const AlphaBeta& cost,
                 const std::vector<Certificate>& certificates, const SearchEnd& end)
{
    std::optional<Bound> best;
    for (const Certificate& certificate : certificates) {
        if (std::holds_alternative<FarthestPair>(certificate))
            continue;
        const auto bound = proven_bound(certificate, network, collective);
        if (bound && (!best || best->rounds < bound->rounds))
            best = bound;
        if (end.has_come())
            break;
    }
    Bounds bounds = best_chunk_bounds(network, collective, std::nullopt, BoundScope::any_parts, end);
    if (best && (!bounds.rounds || bounds.rounds->rounds < best->rounds))
        bounds.rounds = best;
    return with_time(std::move(bounds), network, collective, cost, BoundScope::any_parts);
}

} // namespace

Bounds joint_bounds(const LinkNetwork& network, const Collective& collective, const AlphaBeta& cost,
                    const JointBoundHints& hints, const SearchEnd& end)
{
    std::vector<Certificate> certificates = candidates(network, hints.among);
    for (const Bounds& alone : hints.alone)
        for (const std::optional<Bound>& bound : {alone.rounds, alone.cycles})
            if (bound)
                certificates.push_back(bound->certificate);
    std::set<std::uint64_t> releases{0};
    for (const Chunk& chunk : collective.chunks)
        releases.insert(chunk.release_cycles);
    Bounds best;
    for (const std::uint64_t release : releases) {
        Bounds bounds = bounds_of(network, release == 0 ? collective : released_from(collective, release),
                                  cost, certificates, end);
        if (bounds.cycles) {
            bounds.cycles->cycles += static_cast<double>(release);
            bounds.cycles->released_from = release;
        }
        if (release == 0)
            best = std::move(bounds);
        else if (bounds.cycles && (!best.cycles || best.cycles->cycles < bounds.cycles->cycles))
            best.cycles = std::move(bounds.cycles);
    }
    return best;
}

} // namespace nocturne
