// Least costs in a graph that is given by its edges at each vertex.
#pragma once

#include "models/routing/distances.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {

/// Above this no cost of a path is represented.
inline constexpr std::uint32_t most_cost = unreachable / 2;

/// The least cost of a walk to each of the vertices 0 .. count-1 from one of `starts`, `unreachable` where
/// there is none: Dijkstra's algorithm, or where `cost` counts hops a breadth-first search.
/// `for_each_edge(vertex, take)` calls `take(next, channel)` for each edge. Throws std::invalid_argument for
/// a path that costs more than most_cost.
template <typename ForEachEdge>
std::vector<std::uint32_t> least_costs(const Topology& topology, const PathCost& cost, std::size_t count,
                                       std::span<const std::size_t> starts, ForEachEdge for_each_edge)
{
    std::vector<std::uint32_t> costs(count, unreachable);
    for (const std::size_t start : starts)
        costs[start] = 0;
    if (cost.is_hops()) {
        std::vector<std::size_t> queue(starts.begin(), starts.end());
        queue.reserve(count);
        for (std::size_t head = 0; head < queue.size(); ++head)
            for_each_edge(queue[head], [&](std::size_t next, ChannelId) {
                if (costs[next] != unreachable)
                    return;
                costs[next] = costs[queue[head]] + 1;
                queue.push_back(next);
            });
        return costs;
    }
    using Entry = std::pair<std::uint32_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> nearest;
    for (const std::size_t start : starts)
        nearest.emplace(0, start);
    while (!nearest.empty()) {
        const auto [at_cost, at] = nearest.top();
        nearest.pop();
        if (at_cost > costs[at])
            continue; // a dearer way to a vertex that has been seen
        for_each_edge(at, [&, from = at_cost](std::size_t next, ChannelId id) {
            const std::uint64_t sum = from + cost.of(topology.channel(id));
            if (sum >= costs[next])
                return;
            if (sum > most_cost)
                throw std::invalid_argument(topology.name() + ": " + describe_channel(topology, id) +
                                            ": a path with it has a latency of more than 2^31 cycles");
            costs[next] = static_cast<std::uint32_t>(sum);
            nearest.emplace(costs[next], next);
        });
    }
    return costs;
}

} // namespace nocturne
