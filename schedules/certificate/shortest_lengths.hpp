// Shortest walks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace nocturne {

/// By vertex: the length of a shortest walk from `source` to it, `none` where there is none. Of each vertex
/// `edges_from(vertex, visit)` calls `visit(to, length)` for every edge, whose lengths are 0 or more: true if
/// no walk to that vertex that is known so far is as short. Dijkstra's algorithm.
template <class Length, class EdgesFrom>
std::vector<Length> shortest_lengths(std::size_t vertices, std::uint32_t source, const Length& none,
                                     const EdgesFrom& edges_from)
{
    std::vector<Length> shortest(vertices, none);
    using Entry = std::pair<Length, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    shortest[source] = 0;
    open.emplace(0, source);
    while (!open.empty()) {
        const Length so_far = open.top().first;
        const std::uint32_t vertex = open.top().second;
        open.pop();
        if (so_far != shortest[vertex])
            continue;
        edges_from(vertex, [&](std::uint32_t to, const Length& length) {
            Length then = so_far + length;
            if (shortest[to] != none && then >= shortest[to])
                return false;
            shortest[to] = then;
            open.emplace(std::move(then), to);
            return true;
        });
    }
    return shortest;
}

} // namespace nocturne
