#include "models/routing/acyclic_graph.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne {

AcyclicGraph::AcyclicGraph(std::size_t vertices)
    : out_(vertices), in_(vertices), place_(vertices), seen_(vertices)
{
    std::iota(place_.begin(), place_.end(), 0u);
}

/// The vertices that `start` reaches over `edges` without leaving the places from `lowest` to `highest`.
std::vector<AcyclicGraph::Vertex> AcyclicGraph::reach(const Adjacency& edges, Vertex start,
                                                      std::uint32_t lowest, std::uint32_t highest)
{
    std::vector<Vertex> found{start};
    seen_[start] = true;
    for (std::size_t head = 0; head < found.size(); ++head)
        for (const Vertex next : edges[found[head]])
            if (!seen_[next] && place_[next] >= lowest && place_[next] <= highest) {
                seen_[next] = true;
                found.push_back(next);
            }
    for (const Vertex vertex : found)
        seen_[vertex] = false;
    return found;
}

bool AcyclicGraph::insert(Vertex from, Vertex to)
{
    if (from == to)
        return false;
    if (place_[from] > place_[to]) {
        const std::uint32_t lowest = place_[to];
        const std::uint32_t highest = place_[from];
        std::vector<Vertex> after = reach(out_, to, lowest, highest);
        if (std::find(after.begin(), after.end(), from) != after.end())
            return false;
        std::vector<Vertex> moved = reach(in_, from, lowest, highest);

        // What leads to `from` comes first, then what `to` leads to, each in the order it had, in the places
        // of both.
        const auto by_place = [&](Vertex a, Vertex b) { return place_[a] < place_[b]; };
        std::sort(moved.begin(), moved.end(), by_place);
        std::sort(after.begin(), after.end(), by_place);
        moved.insert(moved.end(), after.begin(), after.end());
        std::vector<std::uint32_t> places;
        for (const Vertex vertex : moved)
            places.push_back(place_[vertex]);
        std::sort(places.begin(), places.end());
        for (std::size_t i = 0; i < moved.size(); ++i)
            place_[moved[i]] = places[i];
    }
    out_[from].push_back(to);
    in_[to].push_back(from);
    return true;
}

} // namespace nocturne
