#include "schedules/constructions/min_cost_flow.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace nocturne {

FlowNetwork::Arc FlowNetwork::add_arc(Vertex from, Vertex to, std::int32_t capacity, std::int32_t cost)
{
    append(from, {to, none, capacity, cost});
    append(to, {from, none, 0, -cost});
    return static_cast<Arc>(residual_.size() / 2 - 1);
}

void FlowNetwork::append(Vertex from, Residual residual)
{
    residual.next = std::exchange(first_[from], static_cast<std::uint32_t>(residual_.size()));
    residual_.push_back(residual);
}

std::int64_t FlowNetwork::send(Vertex source, Vertex sink)
{
    std::int64_t total = 0;
    potential_.assign(first_.size(), 0);
    while (raise_potentials(source, sink))
        for (std::int64_t sent = -1; sent != 0; total += sent) {
            sent = 0;
            current_ = first_;
            is_closed_.assign(first_.size(), false);
            while (const auto more = augment(source, sink, std::numeric_limits<std::int32_t>::max()))
                sent += more;
        }
    return total;
}

/// Dijkstra's algorithm on reduced costs, which stay 0 or more. False if the sink cannot be reached any more.
bool FlowNetwork::raise_potentials(Vertex source, Vertex sink)
{
    constexpr auto far = std::numeric_limits<std::int64_t>::max();
    using Entry = std::pair<std::int64_t, Vertex>;
    std::vector<std::int64_t> distance(first_.size(), far);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        const auto [at_distance, at] = queue.top();
        queue.pop();
        if (at_distance > distance[at])
            continue;
        if (at == sink)
            break;
        for (std::uint32_t id = first_[at]; id != none; id = residual_[id].next) {
            const Residual& arc = residual_[id];
            if (arc.capacity == 0)
                continue;
            const std::int64_t there = at_distance + arc.cost + potential_[at] - potential_[arc.to];
            if (there < distance[arc.to]) {
                distance[arc.to] = there;
                queue.push({there, arc.to});
            }
        }
    }
    if (distance[sink] == far)
        return false;
    // Vertices beyond the sink keep their reduced costs if they move with it.
    for (Vertex v = 0; v < first_.size(); ++v)
        potential_[v] += std::min(distance[v], distance[sink]);
    return true;
}

/// Sends up to `limit` over one path of tight arcs; 0 if none is found from here.
std::int32_t FlowNetwork::augment(Vertex at, Vertex sink, std::int32_t limit)
{
    if (at == sink)
        return limit;
    is_closed_[at] = true;
    for (std::uint32_t& id = current_[at]; id != none; id = residual_[id].next) {
        const Residual arc = residual_[id];
        if (arc.capacity == 0 || is_closed_[arc.to] || arc.cost + potential_[at] != potential_[arc.to])
            continue;
        if (const std::int32_t sent = augment(arc.to, sink, std::min(limit, arc.capacity)); sent > 0) {
            residual_[id].capacity -= sent;
            residual_[id ^ 1].capacity += sent;
            is_closed_[at] = false;
            return sent;
        }
    }
    return 0;
}

} // namespace nocturne
