#include "models/routing/acyclic_graph.hpp"

#include <algorithm>
#include <functional>

namespace nocturne {

AcyclicGraph::AcyclicGraph(std::size_t vertices, std::size_t effort)
    : effort_(effort), out_(vertices), in_(vertices), before_(vertices + 1), behind_(vertices + 1),
      place_(vertices + 1), mark_(vertices), followed_(vertices)
{
    const auto size = static_cast<Vertex>(vertices + 1);
    for (Vertex vertex = 0; vertex < size; ++vertex) {
        before_[vertex] = vertex == 0 ? ends() : vertex - 1;
        behind_[vertex] = vertex == ends() ? 0 : vertex + 1;
    }
    spread_places();
}

/// Even gaps between all places, so that many vertices can be put between any two.
void AcyclicGraph::spread_places()
{
    const Place gap = std::numeric_limits<Place>::max() / (out_.size() + 1);
    Place place = 0;
    for (Vertex vertex = behind_[ends()]; vertex != ends(); vertex = behind_[vertex])
        place_[vertex] = place += gap;
}

AcyclicGraph::Place AcyclicGraph::place_after(Vertex vertex) const
{
    const Vertex next = behind_[vertex];
    return next == ends() ? std::numeric_limits<Place>::max() : place_[next];
}

void AcyclicGraph::find(Search& search, const Adjacency& edges, Vertex vertex)
{
    mark_[vertex] = search.mark;
    search.found.push_back(vertex);
    followed_[vertex] = 0;
    if (edges[vertex].empty())
        return;
    search.live.emplace_back(place_[vertex] ^ search.flip, vertex);
    std::push_heap(search.live.begin(), search.live.end(), std::greater());
}

/// One edge of the nearest live vertex; does it lead to what the other search has found?
bool AcyclicGraph::follow_one(Search& search, const Adjacency& edges)
{
    const Vertex at = search.live.front().second;
    const Vertex next = edges[at][followed_[at]++];
    if (followed_[at] == edges[at].size()) {
        std::pop_heap(search.live.begin(), search.live.end(), std::greater());
        search.live.pop_back();
    }
    if (mark_[next] == Mark::none && (place_[next] ^ search.flip) < search.farthest)
        find(search, edges, next);
    return mark_[next] != Mark::none && mark_[next] != search.mark;
}

/// Is there a path from `to` to `from`, which `from` is behind in the order, or is the effort spent?
bool AcyclicGraph::may_searches_meet(Vertex from, Vertex to)
{
    forward_.farthest = place_[from] ^ forward_.flip;
    backward_.farthest = place_[to] ^ backward_.flip;
    find(forward_, out_, to);
    find(backward_, in_, from);
    std::size_t left = effort_;
    while (!forward_.live.empty() && !backward_.live.empty() &&
           place_[forward_.live.front().second] < place_[backward_.live.front().second])
        if (left-- == 0 || follow_one(forward_, out_) || follow_one(backward_, in_))
            return true;
    return false;
}

/// Takes the vertices that the search has found at places nearer to its beginning than `end` out of the
/// order; they are returned in the order they had.
std::vector<AcyclicGraph::Vertex> AcyclicGraph::take_out(const Search& search, Place end)
{
    std::vector<Vertex> taken;
    for (const Vertex vertex : search.found)
        if ((place_[vertex] ^ search.flip) < (end ^ search.flip))
            taken.push_back(vertex);
    std::sort(taken.begin(), taken.end(), [&](Vertex a, Vertex b) { return place_[a] < place_[b]; });
    for (const Vertex vertex : taken) {
        behind_[before_[vertex]] = behind_[vertex];
        before_[behind_[vertex]] = before_[vertex];
    }
    return taken;
}

void AcyclicGraph::put_behind(Vertex anchor, const std::vector<Vertex>& moved)
{
    Place place = anchor == ends() ? 0 : place_[anchor];
    const Place gap = (place_after(anchor) - place) / (moved.size() + 1);
    for (const Vertex vertex : moved) {
        before_[vertex] = anchor;
        behind_[vertex] = behind_[anchor];
        before_[behind_[anchor]] = vertex;
        behind_[anchor] = vertex;
        place_[vertex] = place += gap;
        anchor = vertex;
    }
    if (gap == 0)
        spread_places();
}

/// After two searches that did not meet. All edges of what lies before `end`, the first place where the
/// search forward has edges left, have been followed forward, all edges of what lies behind it backward.
void AcyclicGraph::repair_order(Vertex from)
{
    Vertex end = from;
    if (!forward_.live.empty() && place_[forward_.live.front().second] < place_[from])
        end = forward_.live.front().second;
    std::vector<Vertex> moved = take_out(backward_, place_[end]);
    const std::vector<Vertex> after = take_out(forward_, place_[end]);
    moved.insert(moved.end(), after.begin(), after.end());
    put_behind(end == from ? from : before_[end], moved);
}

bool AcyclicGraph::insert(Vertex from, Vertex to)
{
    if (from == to)
        return false;
    if (place_[from] > place_[to]) {
        const bool closes_cycle = may_searches_meet(from, to);
        if (!closes_cycle)
            repair_order(from);
        for (Search* const search : {&forward_, &backward_}) {
            for (const Vertex vertex : search->found)
                mark_[vertex] = Mark::none;
            search->found.clear();
            search->live.clear();
        }
        if (closes_cycle)
            return false;
    }
    out_[from].push_back(to);
    in_[to].push_back(from);
    return true;
}

} // namespace nocturne
