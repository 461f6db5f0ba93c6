#include "schedules/bounds/max_flow.hpp"

#include <algorithm>

namespace nocturne {

void MaxFlow::add_arc(std::uint32_t from, std::uint32_t to, std::int64_t capacity)
{
    from_[from].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({to, capacity});
    from_[to].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({from, 0});
}

std::int64_t MaxFlow::run(std::uint32_t source, std::uint32_t sink)
{
    std::int64_t flow = 0;
    while (find_levels(source, sink)) {
        next_.assign(from_.size(), 0);
        while (const std::int64_t more = augment(source, sink))
            flow += more;
    }
    return flow;
}

bool MaxFlow::find_levels(std::uint32_t source, std::uint32_t sink)
{
    level_.assign(from_.size(), cut_off);
    level_[source] = 0;
    std::vector<std::uint32_t> queue{source};
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (const std::uint32_t arc : from_[queue[next]])
            if (arcs_[arc].residual > 0 && level_[arcs_[arc].to] == cut_off) {
                level_[arcs_[arc].to] = level_[queue[next]] + 1;
                queue.push_back(arcs_[arc].to);
            }
    return level_[sink] != cut_off;
}

std::int64_t MaxFlow::augment(std::uint32_t source, std::uint32_t sink)
{
    // Depth first along rising levels; a vertex that leads nowhere is never tried again.
    std::vector<std::uint32_t> path;
    std::uint32_t at = source;
    while (at != sink) {
        if (next_[at] == from_[at].size()) {
            if (at == source)
                return 0;
            at = arcs_[path.back() ^ 1].to;
            path.pop_back();
            ++next_[at];
            continue;
        }
        const std::uint32_t arc = from_[at][next_[at]];
        if (arcs_[arc].residual > 0 && level_[arcs_[arc].to] == level_[at] + 1) {
            path.push_back(arc);
            at = arcs_[arc].to;
        } else {
            ++next_[at];
        }
    }
    std::int64_t flow = unlimited;
    for (const std::uint32_t arc : path)
        flow = std::min(flow, arcs_[arc].residual);
    for (const std::uint32_t arc : path) {
        arcs_[arc].residual -= flow;
        arcs_[arc ^ 1].residual += flow;
    }
    return flow;
}

} // namespace nocturne
